//! Cases of the `warehouse` room.

use ragsql::warehouse::catalogue::Catalogue;

#[test]
fn every_shipped_statement_has_a_complete_header() {
    let catalogue = Catalogue::embedded(None).unwrap();
    assert!(catalogue.iter().count() > 0);
    for query in catalogue.iter() {
        query.header().unwrap();
    }
}
