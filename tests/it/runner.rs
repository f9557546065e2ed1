//! Cases of the `runner` room.

mod calls;
mod limits;
mod normalisation;
mod pool;
mod progress;
mod support;
