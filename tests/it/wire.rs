//! HTTP clients that stand by themselves.

mod ingestion;
