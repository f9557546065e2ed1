//! Cases of the `runner` room.

mod calls;
mod limits;
mod noise;
mod normalisation;
mod pool;
mod progress;
mod support;
