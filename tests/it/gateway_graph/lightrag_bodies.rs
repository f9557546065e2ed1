//! Vectors TV-98 to TV-102: what is sent to a LightRAG server, and which registries are read.

use crate::gateway_models::shared::vectors;
use ragsql::gateway::graph::profile::{parse_profiles, shipped_profiles};
use ragsql::gateway::graph::{GraphConfig, Mode, QueryDefaults, QueryProfile, lightrag_body};
use serde_json::{Map, Value, json};

fn variables(pairs: &'static [(&'static str, &'static str)]) -> QueryDefaults {
    QueryDefaults::from_variables(|name| {
        pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    })
}

fn profile(fields: Value) -> QueryProfile {
    QueryProfile { name: "p".to_owned(), fields: fields.as_object().unwrap().clone() }
}

fn body(defaults: QueryDefaults, profile: Option<Value>, mode: Option<&str>, options: Value) -> Value {
    let profile = profile.map(self::profile);
    Value::Object(lightrag_body("q", &defaults, profile.as_ref(), mode, options.as_object().unwrap()))
}

fn expected(mode: Value, enable_rerank: Value, top_k: Value, chunk_top_k: Value, tokens: Value) -> Value {
    json!({"query": "q", "mode": mode, "enable_rerank": enable_rerank, "top_k": top_k, "chunk_top_k": chunk_top_k,
        "max_total_tokens": tokens})
}

#[test]
fn later_sources_win_over_earlier_ones() {
    let none = json!({});
    let plain = QueryDefaults::default();
    let top_7 = variables(&[("LIGHTRAG_QUERY_TOP_K", "7")]);
    let odd = variables(&[
        ("LIGHTRAG_QUERY_TOP_K", " 7 "),
        ("LIGHTRAG_QUERY_ENABLE_RERANK", " On "),
        ("LIGHTRAG_QUERY_CHUNK_TOP_K", "x"),
        ("LIGHTRAG_QUERY_MAX_TOTAL_TOKENS", ""),
    ]);
    let wide = json!({"enable_rerank": true, "top_k": 30, "chunk_top_k": 12, "max_total_tokens": 24000, "junk": 2});
    let options = json!({"mode": "mix", "top_k": 42, "junk": 1});
    let cases = [
        (
            "defaults",
            body(plain, None, None, none.clone()),
            expected(json!("hybrid"), json!(false), json!(10), json!(5), json!(12000)),
        ),
        (
            "env",
            body(odd, None, None, none.clone()),
            expected(json!("hybrid"), json!(true), json!(7), json!(5), json!(12000)),
        ),
        (
            "partial+env",
            body(top_7, Some(json!({"mode": "local"})), None, none.clone()),
            expected(json!("local"), json!(false), json!(7), json!(5), json!(12000)),
        ),
        (
            "nulls",
            body(plain, Some(json!({"mode": null, "top_k": null})), None, none.clone()),
            expected(json!(null), json!(false), json!(null), json!(5), json!(12000)),
        ),
        (
            "profile_w",
            body(plain, Some(wide.clone()), None, none.clone()),
            expected(json!("hybrid"), json!(true), json!(30), json!(12), json!(24000)),
        ),
        (
            "mode over profile",
            body(plain, Some(wide.clone()), Some("naive"), none.clone()),
            expected(json!("naive"), json!(true), json!(30), json!(12), json!(24000)),
        ),
        (
            "options over all",
            body(plain, Some(wide), Some("naive"), options),
            expected(json!("mix"), json!(true), json!(42), json!(12), json!(24000)),
        ),
        (
            "agent tool",
            body(plain, None, Some("hybrid"), none),
            expected(json!("hybrid"), json!(false), json!(10), json!(5), json!(12000)),
        ),
    ];
    let shared = vectors("lightrag_payload");
    for (name, got, wanted) in cases {
        assert_eq!(got, wanted, "{name}");
        if let Some(shared) = &shared {
            assert_eq!(got, shared[name], "{name}");
        }
    }
    let off = variables(&[("LIGHTRAG_QUERY_ENABLE_RERANK", ""), ("LIGHTRAG_QUERY_TOP_K", "0")]);
    assert_eq!(off, QueryDefaults::default());
}

#[test]
fn the_shipped_profiles_are_those_of_the_contract() {
    let config = GraphConfig::default();
    let names: Vec<String> = shipped_profiles().into_iter().map(|profile| profile.name).collect();
    assert_eq!(names, ["graph-rag", "graph-rag-fast", "graph-rag-wide", "graph-rag-rerank"]);
    let fast = config.settings(config.profile("graph-rag-fast"), None).unwrap();
    assert_eq!((fast.mode, fast.top_k, fast.chunk_top_k, fast.max_total_tokens), (Mode::Local, 5, 3, 8000));
    assert!(config.settings(config.profile("graph-rag-rerank"), None).unwrap().enable_rerank);
    let agent = config.settings(None, Some(Mode::Mix)).unwrap();
    assert_eq!((agent.mode, agent.top_k), (Mode::Mix, 10));
}

#[test]
fn our_own_graph_refuses_values_it_cannot_use() {
    let config = GraphConfig::default();
    for (fields, words) in [
        (json!({"mode": "deep"}), "`mode` of the graph query profile `p` must be one of `local`"),
        (json!({"mode": null}), "`mode`"),
        (json!({"top_k": 0}), "`top_k` of the graph query profile `p` must be a whole number of 1 or more, not `0`"),
        (json!({"chunk_top_k": "5"}), "`chunk_top_k`"),
        (json!({"max_total_tokens": 1.5}), "`max_total_tokens`"),
        (json!({"enable_rerank": 1}), "`enable_rerank` of the graph query profile `p` must be true or false, not `1`"),
    ] {
        let error = config.settings(Some(&profile(fields)), None).unwrap_err();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn registries_are_read_strictly() {
    let good =
        r#"{"version": 1, "profiles": [{"name": "a", "mode": "mix", "label": "x"}, {"name": "b", "top_k": null}]}"#;
    let profiles = parse_profiles(good).unwrap();
    assert_eq!(profiles[0].fields, *json!({"mode": "mix"}).as_object().unwrap());
    assert_eq!(profiles[1].fields, *json!({"top_k": null}).as_object().unwrap());
    assert_eq!(parse_profiles(r#"{"version": 1, "profiles": []}"#).unwrap(), []);
    for (text, words) in [
        (r#"{"version": 2, "profiles": []}"#, "`version` 1"),
        // The reference took `true` for 1; scalars are strict here (decision 4).
        (r#"{"version": true, "profiles": []}"#, "`version` 1"),
        ("[]", "`version` 1"),
        (r#"{"version": 1, "profiles": {}}"#, "must be a list"),
        (r#"{"version": 1, "profiles": [{"mode": "mix"}]}"#, "needs a `name`"),
        (r#"{"version": 1, "profiles": [{"name": 5}]}"#, "needs a `name`"),
        (r#"{"version": 1, "profiles": [{"name": "a"}, {"name": "a"}]}"#, "`a` appears twice"),
        ("{", "no JSON"),
    ] {
        let error = parse_profiles(text).unwrap_err();
        assert!(error.contains(words), "{text}: {error}");
    }
    assert_eq!(lightrag_body("q", &QueryDefaults::default(), Some(&profiles[0]), None, &Map::new())["mode"], "mix");
}
