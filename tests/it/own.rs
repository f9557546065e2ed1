//! Cases of bringing one's own: endpoints without our extension, question files, projects, data sets, imports.

mod benchmarks;
mod costs;
mod endpoints;
mod guides;
mod imports;
mod pointers;
mod projects;
mod questions_csv;
mod reports;
mod support;
