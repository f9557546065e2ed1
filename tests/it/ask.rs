//! Questions in SQL and exports: what people get, in which format, and what is refused.

mod exports;
mod formats;
mod limits;
mod prompt;
mod refusals;
mod spreadsheets;
mod support;
