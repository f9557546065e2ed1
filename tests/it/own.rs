//! Cases of bringing one's own: endpoints without our extension, question files, projects, data sets, imports.

mod endpoints;
mod pointers;
mod questions_csv;
mod support;
