//! The HTML report: hostile and huge answers, missing scores, its policy, its footer.

use super::runs::warehouse_of;
use super::tree;
use crate::warehouse::rows::{failed_row, row};
use ragsql::report::page::{Pages, Verdict};
use ragsql::report::site;
use ragsql::warehouse::Parameter;
use ragsql::warehouse::catalogue::Catalogue;
use serde_json::{Value, json};

/// What `ragsql report` gives to every page.
pub fn given() -> Vec<(&'static str, Parameter)> {
    vec![("site_name", "Harbour".into()), ("title", "Harbour: report".into()), ("run_id", Parameter::Null)]
}

/// The HTML report of these rows.
pub fn report(rows: &[Value]) -> String {
    let catalogue = Catalogue::embedded(None).unwrap();
    let (_folder, warehouse) = warehouse_of(&catalogue, rows, None);
    Pages::load(None).unwrap().render(&warehouse, "report.html", &given()).unwrap().remove(0).1
}

/// Everything between `<` and `>` outside style and script, as a reader of markup sees it.
fn tags(page: &str) -> Vec<String> {
    let without =
        regex::Regex::new(r"(?s)<(style|script)>.*?</(style|script)>").unwrap().replace_all(page, "").into_owned();
    regex::Regex::new(r"<[^>]*>").unwrap().find_iter(&without).map(|found| found.as_str().to_owned()).collect()
}

#[test]
fn hostile_text_is_text_in_body_attribute_title_and_picture() {
    let texts = [
        "<img src=x onerror=\"document.title='owned'\">",
        "a\"onmouseover=\"x",
        "<svg/onload=1>",
        "</script><script>1</script>",
        "--><!--",
        "\u{1b}]0;x\u{7}\u{202e}",
    ];
    let mut rows = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let mut hostile = row(&format!("{text}{index}"), text, json!(0.5));
        hostile["run_id"] = (*text).into();
        hostile["dataset"]["id"] = (*text).into();
        hostile["evidence"]["answer"] = (*text).into();
        hostile["evidence"]["sources"] = json!([{"title": text, "snippet": text, "score": null}]);
        let mut failed = failed_row(&format!("{text}{index}"), "calm", "error");
        failed["run_id"] = (*text).into();
        failed["dataset"]["id"] = (*text).into();
        rows.extend([hostile, failed]);
    }
    let page = report(&rows);
    let known = [
        "!doctype",
        "html",
        "head",
        "meta",
        "title",
        "link",
        "style",
        "script",
        "body",
        "a",
        "main",
        "header",
        "footer",
        "h1",
        "h2",
        "h3",
        "h4",
        "p",
        "b",
        "nav",
        "ul",
        "ol",
        "li",
        "section",
        "code",
        "pre",
        "details",
        "summary",
        "figure",
        "figcaption",
        "div",
        "span",
        "article",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "svg",
        "rect",
        "line",
        "polyline",
        "polygon",
        "circle",
        "text",
    ];
    let values = regex::Regex::new("\"[^\"]*\"").unwrap();
    for tag in tags(&page) {
        let name: String =
            tag.trim_start_matches(['<', '/']).chars().take_while(|c| c.is_alphanumeric() || *c == '!').collect();
        assert!(known.contains(&name.as_str()), "{tag}");
        let attributes = values.replace_all(&tag, "");
        assert!(!["\"", " on", "style=", "src="].iter().any(|sign| attributes.contains(sign)), "{tag}");
    }
    assert_eq!(page.matches("<script>").count(), 1);
    assert!(!page.contains('\u{1b}') && !page.contains('\u{202e}') && !page.contains("<!--"));
    assert!(
        page.contains("&lt;img src=x onerror=&quot;document.title=&#x27;owned&#x27;&quot;&gt;"),
        "shown to the letter"
    );
}

#[test]
fn a_page_loads_nothing_and_runs_only_its_own_script() {
    let page = report(&[row("q1", "tide", json!(0.5))]);
    let policy = regex::Regex::new("http-equiv=\"Content-Security-Policy\" content=\"([^\"]*)\"").unwrap();
    let policy = policy.captures(&page).unwrap()[1].to_owned();
    assert!(policy.starts_with("default-src 'none'; ") && !policy.contains("unsafe"), "{policy}");
    let between = |name: &str| {
        let open = format!("<{name}>");
        let start = page.find(&open).unwrap() + open.len();
        &page[start..start + page[start..].find(&format!("</{name}>")).unwrap()]
    };
    for (name, directive) in [("style", "style-src"), ("script", "script-src")] {
        let hash = ragsql::report::page::policy_hash(between(name));
        assert!(policy.contains(&format!("{directive} '{hash}'")), "{directive} {hash} is not in {policy}");
    }
    let loads = regex::Regex::new(r#"(src|href|action|url)\s*=\s*"?(https?:)?//"#).unwrap();
    assert!(tags(&page).iter().all(|tag| !loads.is_match(tag)));
}

#[test]
fn a_missing_score_is_a_dash_with_its_reason_and_never_a_number() {
    let page = report(&[row("q1", "tide", Value::Null), row("q2", "tide", Value::Null)]);
    assert!(page.contains("<li>faithfulness - <span class=\"quiet\">(error: score_missing_or_null)</span></li>"));
    let row = regex::Regex::new(r#"(?s)<tr data-filter-dataset="harbour" data-filter-approach="tide" data-filter-metric="faithfulness">.*?</tr>"#).unwrap();
    let row = row.find(&page).unwrap().as_str();
    assert!(
        row.contains("<td data-sort-value=\"\">-</td>")
            && row.contains(">nothing_scored</td>")
            && row.contains(">0/2</td>"),
        "{row}"
    );
    assert!(page.contains(
        "<td data-sort-value=\"score_missing_or_null\">score_missing_or_null</td><td data-sort-value=\"2\">2</td>"
    ));
}

#[test]
fn huge_answers_are_cut_and_the_page_says_where_the_whole_is() {
    let mut rows = Vec::new();
    for question in 0..60 {
        for approach in ["tide", "current"] {
            let mut huge = row(&format!("q{question:02}"), approach, json!(0.5));
            huge["evidence"]["answer"] = "word ".repeat(60_000).into();
            rows.push(huge);
        }
    }
    rows[0]["evidence"]["answer"] = "a".repeat(6_000_000).into();
    let page = report(&rows);
    assert!(page.len() < 1_200_000, "{} bytes", page.len());
    assert!(page.contains("Cut: the whole answer has 6000000 characters. It stands in the evidence, row <code>"));
    assert_eq!(page.matches("<details class=\"question\"").count(), 40, "the rest of 60 is left out");
    assert!(page.contains("40 of 60 questions"));
}

#[test]
fn every_chart_has_its_numbers_and_leads_to_its_statement() {
    let page =
        report(&[row("q1", "tide", json!(0.5)), row("q1", "current", json!(0.25)), failed_row("q2", "tide", "error")]);
    let figures: Vec<&str> =
        page.split("<figure>").skip(1).map(|rest| rest.split("</figure>").next().unwrap()).collect();
    assert!(figures.len() > 5);
    for figure in &figures {
        assert!(
            figure.contains("<svg ")
                && figure.contains("aria-label=")
                && figure.contains("<summary>Numbers of this chart</summary>"),
            "{figure}"
        );
    }
    for link in regex::Regex::new("href=\"#([^\"]+)\"").unwrap().captures_iter(&page) {
        assert!(page.contains(&format!("id=\"{}\"", &link[1])), "#{} leads nowhere", &link[1]);
    }
    assert!(page.contains("<pre id=\"query-rankings-board-1\">-- name: rankings/board_v1&#10;"));
}

#[test]
fn an_html_page_says_whether_it_is_still_what_its_inputs_give() {
    let catalogue = Catalogue::embedded(None).unwrap();
    let rows = [row("q1", "tide", json!(0.5))];
    let (_folder, warehouse) = warehouse_of(&catalogue, &rows, None);
    let pages = Pages::load(None).unwrap();
    let page = pages.render(&warehouse, "report.html", &given()).unwrap().remove(0).1;
    assert_eq!(ragsql::report::page::made_from(&page), Some("report.html"));
    let verify = |text: &str| pages.verify(&warehouse, "report.html", &given(), "/any/name.html", text).unwrap();
    assert_eq!(verify(&page), Verdict::Same);
    let Verdict::Differs(reasons) = verify(&page.replace("0.500", "0.900")) else { panic!("it was edited") };
    assert!(reasons[0].contains("somebody edited it"), "{reasons:?}");
    let Verdict::Differs(reasons) = verify(&page.replace(
        "file <code>harbour.jsonl</code>, SHA-256 <code>",
        "file <code>harbour.jsonl</code>, SHA-256 <code>0",
    )) else {
        panic!("another file")
    };
    assert!(reasons.iter().any(|reason| reason.starts_with("was file <code>harbour.jsonl")), "{reasons:?}");
}

#[test]
fn published_leaderboards_are_one_html_file_with_the_cells_of_the_markdown_page() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = tree::own(folder.path());
    let warehouse = tree::warehouse(&inputs);
    let pages = Pages::load(None).unwrap();
    let render =
        |name: &str| pages.render(&warehouse, name, &site::given(&inputs, "evaluation-results")).unwrap().remove(0).1;
    let cells = |page: &str| -> Vec<(String, String)> {
        let cell = regex::Regex::new("<td data-sort-value=\"([^\"]*)\">([^<]*)</td>").unwrap();
        cell.captures_iter(page).map(|found| (found[1].to_owned(), found[2].to_owned())).collect()
    };
    let (markdown, html) = (cells(&render("evaluation-results")), cells(&render("evaluation-results.html")));
    assert!(markdown.len() > 200 && markdown == html, "{} and {} cells", markdown.len(), html.len());
}

#[test]
fn means_of_means_and_means_of_questions_stand_side_by_side_under_their_own_names() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = tree::own(folder.path());
    let warehouse = tree::warehouse(&inputs);
    let given = site::given(&inputs, "evaluation-results");
    let page = Pages::load(None).unwrap().render(&warehouse, "evaluation-results.html", &given).unwrap().remove(0).1;
    for text in [">Judge mean over datasets (1-5)</th>", ">Judge mean over questions (1-5)</th>", "orders nothing"] {
        assert!(page.contains(text), "`{text}` is not on the page");
    }
}

#[test]
fn an_approach_that_nobody_preferred_is_no_winner_in_any_order_of_rows() {
    let mut rows: Vec<Value> = ["wren", "heron", "ibis"].iter().map(|name| row("q1", name, json!(0.5))).collect();
    let first = report(&rows);
    assert!(first.contains("A tie: their means are equal."), "three equal means have a winner");
    rows.reverse();
    let without_hash = |page: &str| page.lines().filter(|line| !line.starts_with("<li>file")).collect::<String>();
    assert_eq!(without_hash(&report(&rows)), without_hash(&first));
}
