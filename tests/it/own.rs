//! Cases of bringing one's own: endpoints without our extension, question files, projects, data sets, imports.

mod benchmarks;
mod endpoints;
mod pointers;
mod projects;
mod questions_csv;
mod support;
