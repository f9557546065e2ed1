//! The dataset ladder: climbed whole, stopped anywhere, refused where it must be.

mod climbing;
mod gates;
mod publishing;
mod refusals;
mod resuming;
mod support;
