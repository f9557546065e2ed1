//! Cases of the charts: hostile texts, gaps, labels and scales.

use super::labels::{shortened, spread};
use super::scale::Scale;
use super::{Words, add_to};
use minijinja::value::Value;
use minijinja::{Environment, context};

fn drawn(chart: &str, rows: Vec<Value>) -> String {
    let mut environment = Environment::new();
    add_to(&mut environment);
    let source = format!("{{{{ {chart}(rows, title='a <b> \"t\"', summary='s') }}}}");
    environment.render_str(&source, context! { rows }).unwrap()
}

fn ranked(approach: &str, mean: Option<&str>, tie_n: Option<i64>) -> Value {
    context! {
        approach, mean, tie_n, rank_text => "1", lower_bound => mean, upper_bound => "1.0", low => "0.0", high => "1.0",
        coverage => "0.5", value_text => mean, coverage_text => "1/2", series_n => 9,
    }
}

#[test]
fn hostile_names_stand_in_a_picture_as_text() {
    let svg = drawn("ranking_chart", vec![ranked("<script>\"'\u{1b}</script>", Some("0.5"), None)]);
    assert!(svg.starts_with("<svg ") && svg.contains("aria-label=\"a &lt;b&gt; &quot;t&quot;. s\""), "{svg}");
    assert!(!svg.contains("<script") && !svg.contains('\u{1b}') && svg.contains("&lt;script&gt;"), "{svg}");
    assert!(!svg.contains("style="), "a style attribute is not allowed by the page's policy");
}

#[test]
fn a_missing_mean_draws_no_bar_and_neighbours_with_one_rank_are_joined() {
    let svg = drawn("ranking_chart", vec![ranked("a", Some("0.5"), Some(1)), ranked("b", Some("0.5"), Some(1))]);
    assert_eq!((svg.matches("class=\"bar series-1\"").count(), svg.matches("class=\"bracket\"").count()), (2, 3));
    let svg = drawn("ranking_chart", vec![ranked("a", None, None), ranked("b", None, None)]);
    assert_eq!((svg.matches("class=\"bar ").count(), svg.matches("class=\"bracket\"").count()), (0, 0));
}

#[test]
fn a_line_breaks_where_a_value_is_missing() {
    let point = |step_n: i64, y: Option<&str>| context! { series => "tide", series_n => 0, step_n, step_text => "d", y, y_text => y };
    let svg =
        drawn("line_chart", vec![point(1, Some("0.1")), point(2, None), point(3, Some("0.3")), point(4, Some("0.4"))]);
    assert_eq!(svg.matches("<polyline").count(), 1, "the stretch of two only: {svg}");
    assert_eq!(svg.matches("<title>tide: ").count(), 3, "a mark for each value");
}

#[test]
fn a_chart_names_the_column_it_misses() {
    let mut environment = Environment::new();
    add_to(&mut environment);
    let error = environment.render_str("{{ bar_chart([{'name': 'a'}], title='', summary='') }}", ()).unwrap_err();
    assert!(error.to_string().contains("a chart needs the column `part`"), "{error}");
    let words = Words::default();
    assert!(super::heat::draw(&[], &words).unwrap().starts_with("<svg "));
}

#[test]
fn labels_keep_their_distance_and_their_order() {
    let places = spread(&[50.0, 50.0, 52.0, 10.0], [0.0, 60.0], 15.0);
    assert_eq!(places, [30.0, 45.0, 60.0, 10.0]);
    assert_eq!(shortened("agentic-rag", 24), "agentic-rag");
    assert_eq!(
        shortened(&"\u{1f468}\u{200d}\u{1f469}".repeat(9), 5),
        format!("{0}{0}\u{2026}", "\u{1f468}\u{200d}\u{1f469}")
    );
    assert!(shortened(&format!("e{}", "\u{301}".repeat(100_000)), 20).len() < 1000);
}

#[test]
fn scales_hold_values_at_their_ends_and_mark_round_numbers() {
    let scale = Scale::linear([0.0, 1.0], [100.0, 200.0]);
    assert_eq!((scale.place(0.5), scale.place(-3.0), scale.place(7.0)), (150.0, 100.0, 200.0));
    let texts = |scale: Scale| scale.ticks().into_iter().map(|(text, _)| text).collect::<Vec<_>>();
    assert_eq!(texts(scale), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    assert_eq!(texts(Scale::linear([1.0, 5.0], [0.0, 1.0])), ["1", "2", "3", "4", "5"]);
    assert_eq!(texts(Scale::spanning([12.0, 4000.0], [0.0, 1.0])), ["10", "100", "1000", "10000"]);
    assert_eq!(Scale::linear([3.0, 3.0], [0.0, 10.0]).place(3.0), 5.0);
}
