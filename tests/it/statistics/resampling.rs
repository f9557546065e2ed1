//! Quantiles and numbers that are a function of names.

use super::support::{pairs, vectors, warehouse};
use ragsql::warehouse::Warehouse;
use ragsql::warehouse::catalogue::Catalogue;
use serde_json::Value;

/// The values of many expressions, computed in one statement.
fn values(warehouse: &Warehouse, expressions: &[String]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("metrics")).unwrap();
    let text = format!("select {}", expressions.join(",\n"));
    std::fs::write(folder.path().join("metrics/probe_v1.sql"), text).unwrap();
    let catalogue = Catalogue::embedded(Some(folder.path())).unwrap();
    let table = warehouse.run(catalogue.query("metrics/probe").unwrap(), &[]).unwrap();
    table.rows[0].values.iter().map(ToString::to_string).collect()
}

fn floats(warehouse: &Warehouse, expressions: &[String]) -> Vec<f64> {
    values(warehouse, expressions).iter().map(|text| text.parse().unwrap()).collect()
}

fn text(value: &str) -> String {
    format!("'{}'", value.replace('\'', "''"))
}

#[test]
fn quantiles_invert_their_distributions_to_the_last_digits() {
    let warehouse = warehouse(2);
    for share in [0.001, 0.025, 0.2, 0.5, 0.8, 0.975, 0.999_95] {
        let mut expressions = vec![format!("norm_cdf(norm_ppf({share}e0))")];
        for degrees in [1.0, 1.55, 2.0, 3.7, 11.0, 250.0, 99_999.0] {
            expressions.push(format!("t_cdf(t_ppf({share}e0, {degrees}e0), {degrees}e0)"));
        }
        for (found, expression) in floats(&warehouse, &expressions).iter().zip(&expressions) {
            assert!((found - share).abs() < 1e-10, "{expression}: {found}");
        }
    }
    // Closed forms: with one degree of freedom the quantile is a tangent, with two it needs a square root.
    let one = "t_ppf(0.9e0, 1e0) - tan(pi() * 0.4e0)".to_owned();
    let two = "t_ppf(0.9e0, 2e0) - 0.8e0 * sqrt(2e0 / (1e0 - 0.64e0))".to_owned();
    assert!(floats(&warehouse, &[one, two]).iter().all(|difference| difference.abs() < 1e-9));
}

#[test]
fn intervals_round_degrees_of_freedom_below_three_down() {
    let warehouse = warehouse(2);
    for (given, used) in [(1.2, 1.0), (2.0, 2.0), (2.99, 2.0), (3.4, 3.4)] {
        let difference = format!("t_quantile(0.975e0, {given}e0) - t_ppf(0.975e0, {used}e0)");
        assert_eq!(floats(&warehouse, &[difference]), [0.0], "{given}");
    }
}

#[test]
fn the_quantiles_of_the_contract_are_met() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    let warehouse = warehouse(2);
    let table = &vectors["3_expanded_level"][0];
    let mut expected = Vec::new();
    let mut expressions = Vec::new();
    for (degrees, quantile) in pairs(&table["t975"]) {
        expected.push(quantile.as_f64().unwrap());
        expressions.push(format!("t_ppf(0.975e0, {degrees}e0)"));
    }
    for (units, level) in pairs(&table["levels"]) {
        expected.push(level.as_f64().unwrap());
        expressions.push(format!("expanded_level(0.95e0, {units}e0)"));
    }
    for ((found, expected), expression) in floats(&warehouse, &expressions).iter().zip(expected).zip(&expressions) {
        assert!((found - expected).abs() < 1e-9, "{expression}: {found}");
    }
}

#[test]
fn draws_and_signs_are_those_of_the_contract() {
    let Some(vectors) = vectors("statistics-vectors.json") else { return };
    let warehouse = warehouse(2);
    let cases = vectors["10_hash"].as_array().unwrap();
    assert_eq!(cases.len(), 3);
    for case in cases {
        let base = |purpose: &str| {
            let (seed, stratum) = (text(text_of(&case["seed"])), text(text_of(&case["stratum"])));
            format!("resample_base('{purpose}', {seed}, {stratum})")
        };
        let mut expected = vec![text_of(&case["base_draw"]).to_owned(), text_of(&case["base_flip"]).to_owned()];
        let mut expressions = vec![base("draw"), base("flip")];
        for (units, replicates) in pairs(&case["idx"]) {
            for (replicate, slots) in replicates.as_array().unwrap().iter().enumerate() {
                for (slot, index) in slots.as_array().unwrap().iter().enumerate() {
                    expected.push(index.to_string());
                    expressions.push(format!("drawn_unit({}, {replicate}, {slot}, {units})", base("draw")));
                }
            }
        }
        for (key, first) in [("signs", 0), ("sign_g47_to_50", 47)] {
            for (replicate, signs) in case[key].as_array().unwrap().iter().enumerate() {
                for (unit, sign) in (first..).zip(signs_of(signs).chars()) {
                    let word = format!("flip_word({}, {replicate}, {})", base("flip"), unit / 48);
                    expected.push(if sign == '+' { "1" } else { "-1" }.to_owned());
                    expressions.push(format!("flip_sign({word}, {unit})"));
                }
            }
        }
        assert_eq!(values(&warehouse, &expressions), expected);
    }
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn signs_of(value: &Value) -> String {
    match value {
        Value::String(signs) => signs.clone(),
        other => {
            other.as_array().unwrap().iter().map(|sign| if sign.as_i64() == Some(1) { '+' } else { '-' }).collect()
        }
    }
}
