//! The corpus index as a file: refused when it is not ours, never harmed.

use super::support::{Served, Site};
use ragsql::gateway::corpus::{Corpus, CorpusError};
use ragsql::gateway::{GatewayError, start};
use std::fs;

#[tokio::test]
async fn a_file_that_is_no_database_is_refused_by_name_and_left_alone() {
    let site = Site::new();
    fs::create_dir_all(site.index().parent().unwrap()).unwrap();
    fs::write(site.index(), "these are no database pages, whatever the name says".repeat(200)).unwrap();
    let before = fs::read(site.index()).unwrap();
    let Err(GatewayError::Corpus(error)) = start(site.config()).await else { panic!("it started") };
    assert!(matches!(error, CorpusError::Damaged { .. }), "{error}");
    assert!(error.to_string().contains("index.duckdb"), "{error}");
    assert_eq!(fs::read(site.index()).unwrap(), before);
}

#[tokio::test]
async fn a_cut_off_index_is_refused_by_name() {
    let site = Site::new();
    let served = Served::ready(site.config()).await;
    served.running.stop().await.unwrap();
    let bytes = fs::read(site.index()).unwrap();
    fs::write(site.index(), &bytes[..4096 * 2]).unwrap();
    let Err(GatewayError::Corpus(error)) = start(site.config()).await else { panic!("it started") };
    assert!(matches!(error, CorpusError::Damaged { .. }), "{error}");
    assert!(error.to_string().contains("index.duckdb"), "{error}");
}

#[test]
fn a_database_of_something_else_is_refused_and_not_changed() {
    let site = Site::new();
    fs::create_dir_all(site.index().parent().unwrap()).unwrap();
    let connection = duckdb::Connection::open(site.index()).unwrap();
    connection.execute_batch("create table visitors (name varchar)").unwrap();
    drop(connection);
    let error = Corpus::open(&site.index(), "m", 4).err().unwrap();
    assert!(matches!(error, CorpusError::Foreign { tables: 1, .. }), "{error}");
    let connection = duckdb::Connection::open(site.index()).unwrap();
    let tables: i64 =
        connection.query_row("select count(*) from information_schema.tables", [], |row| row.get(0)).unwrap();
    assert_eq!(tables, 1);
}

#[test]
fn an_index_of_another_model_or_width_is_refused() {
    let site = Site::new();
    drop(Corpus::open(&site.index(), "model-a", 4).unwrap());
    drop(Corpus::open(&site.index(), "model-a", 4).unwrap());
    for (model, dimension) in [("model-b", 4), ("model-a", 5)] {
        let error = Corpus::open(&site.index(), model, dimension).err().unwrap();
        assert!(matches!(error, CorpusError::OtherModel { .. }), "{error}");
        assert!(error.to_string().contains("`model-a (4 components)`"), "{error}");
    }
}

#[test]
fn every_retrieval_statement_says_what_it_does() {
    let catalogue = ragsql::warehouse::catalogue::Catalogue::embedded(None).unwrap();
    let statements = catalogue.folder("retrieval");
    assert!(statements.len() > 20);
    for statement in statements {
        let header = statement.header().unwrap();
        for parameter in &header.parameters {
            assert!(statement.text.contains(&format!("${}", parameter.name)), "{}: {}", statement.name, parameter.name);
        }
    }
}
