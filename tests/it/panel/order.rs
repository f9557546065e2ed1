//! Orders and labels.

use ragsql::panel::order::{OrderRule, label, per_judge, stable};

fn ordered<'a>(seed: &str, names: &[&'a str]) -> Vec<&'a str> {
    stable(seed, names).into_iter().map(|index| names[index]).collect()
}

const SIX: [&str; 6] = ["vanilla-rag", "hybrid-rag", "contextual-rag", "graph-rag", "agentic-rag", "n8n-adaptive-rag"];

#[test]
fn the_stable_order_equals_the_contracts_vectors() {
    assert_eq!(
        ordered("keyword", &SIX),
        ["n8n-adaptive-rag", "hybrid-rag", "graph-rag", "vanilla-rag", "contextual-rag", "agentic-rag"]
    );
    let mut seven = SIX.to_vec();
    seven.push("lazy-graph-rag");
    assert_eq!(
        ordered("entity_bridge", &seven),
        [
            "vanilla-rag",
            "hybrid-rag",
            "contextual-rag",
            "graph-rag",
            "n8n-adaptive-rag",
            "agentic-rag",
            "lazy-graph-rag"
        ]
    );
    assert_eq!(ordered("", &["a", "b", "c"]), ["c", "a", "b"]);
    assert_eq!(ordered("\u{95ee}1", &["\u{e9}", "z", "\u{1f50e}"]), ["z", "\u{1f50e}", "\u{e9}"]);
    assert_eq!(ordered("a", &["bc", "c"]), ["c", "bc"]);
}

#[test]
fn no_order_depends_on_the_order_of_input() {
    let mut reversed = SIX.to_vec();
    reversed.reverse();
    assert_eq!(ordered("keyword", &SIX), ordered("keyword", &reversed));
    let drawn = |names: &[&str]| -> Vec<String> {
        per_judge("s", "q", "j", names).into_iter().map(|index| names[index].to_owned()).collect()
    };
    assert_eq!(drawn(&SIX), drawn(&reversed));
}

#[test]
fn per_judge_orders_differ_by_judge_question_and_seed_and_use_every_place() {
    let rule = OrderRule::PerJudge { seed: "seed".into() };
    assert_ne!(rule.forward("q1", "j1", &SIX), rule.forward("q1", "j2", &SIX));
    assert_ne!(rule.forward("q1", "j1", &SIX), rule.forward("q2", "j1", &SIX));
    assert_ne!(rule.forward("q1", "j1", &SIX), OrderRule::PerJudge { seed: "x".into() }.forward("q1", "j1", &SIX));
    let mut first = [0; 6];
    for question in 0..600 {
        first[rule.forward(&question.to_string(), "j", &SIX)[0]] += 1;
    }
    assert!(first.iter().all(|count| (60..=140).contains(count)), "{first:?}");
}

#[test]
fn labels_go_on_after_z() {
    let shown: Vec<String> = [0, 25, 26, 27, 51, 52, 701, 702].map(label).to_vec();
    assert_eq!(shown, ["A", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"]);
}
