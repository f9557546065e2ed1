//! The dictionary is complete, and the page that prints it is current.

use crate::golden;
use ragsql::report::{Error, dictionary, templates::Templates};
use ragsql::warehouse::Warehouse;
use ragsql::warehouse::catalogue::Catalogue;

#[test]
fn the_page_in_the_documents_is_what_the_database_says() {
    let catalogue = Catalogue::embedded(None).unwrap();
    let warehouse = Warehouse::in_memory(&catalogue).unwrap();
    let templates = Templates::embedded(None).unwrap();
    golden::check("docs/data-dictionary.md", &dictionary::markdown(&warehouse, &templates).unwrap());
}

#[test]
fn every_view_and_every_column_has_a_meaning() {
    let catalogue = Catalogue::embedded(None).unwrap();
    let warehouse = Warehouse::in_memory(&catalogue).unwrap();
    let table = warehouse.query("reports/dictionary", &[]).unwrap();
    assert!(table.rows.len() > 90, "{} columns", table.rows.len());
    for row in &table.rows {
        let name = format!("{}.{}", row.text("view").unwrap(), row.text("column").unwrap());
        assert!(row.text_or_null("meaning").unwrap().is_some(), "{name}");
        assert!(row.text_or_null("view_meaning").unwrap().is_some(), "{name}");
    }
}

#[test]
fn one_view_can_be_picked_and_a_wrong_name_lists_the_right_ones() {
    let catalogue = Catalogue::embedded(None).unwrap();
    let warehouse = Warehouse::in_memory(&catalogue).unwrap();
    let templates = Templates::embedded(None).unwrap();
    let text = dictionary::terminal(&warehouse, &templates, Some("scores"), 80).unwrap();
    assert!(text.starts_with("scores  One metric of one cell") && text.contains("reason"), "{text}");
    let error = dictionary::terminal(&warehouse, &templates, Some("score"), 80).unwrap_err();
    assert!(matches!(&error, Error::UnknownView { known, .. } if known.contains(&"scores".to_owned())), "{error}");
}
