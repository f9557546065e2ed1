//! Who judges: manifest, environment, gateway.

use ragsql::panel::error::SettingsError;
use ragsql::panel::settings::{Address, Declared, Environment, Gateways, address, provenance, resolve};
use serde_json::{Value, json};

fn declared(endpoint: &str, models: &[&str]) -> Declared {
    Declared {
        enabled: true,
        endpoint: Some(endpoint.into()),
        temperature: 0.0,
        thinking: Some(false),
        models: models.iter().map(|name| (*name).to_owned()).collect(),
    }
}

fn models(list: &str) -> Environment {
    Environment { models: Some(list.into()), ..Environment::default() }
}

#[test]
fn a_panel_that_is_off_stays_off_whatever_the_environment_says() {
    let off = Declared { enabled: false, ..declared("atlas-litellm", &["x"]) };
    assert!(resolve(&off, &models("a,b")).unwrap().is_none());
    assert_eq!(provenance(&off, &models("a,b")).unwrap()["models"], json!([]));
    assert!(resolve(&declared("atlas-litellm", &["x"]), &models(" , ,")).unwrap().is_none());
}

#[test]
fn the_environment_wins_and_repeats_are_dropped() {
    let settings = resolve(&declared("atlas-litellm", &["x"]), &models(" b , a,, b ,c")).unwrap().unwrap();
    assert_eq!(settings.judges, ["b", "a", "c"]);
    let empty = resolve(&declared("atlas-litellm", &["x"]), &models("")).unwrap().unwrap();
    assert_eq!(empty.judges, ["x"]);
    let recorded = provenance(&declared("atlas-litellm", &["x"]), &models("b,a,b")).unwrap();
    assert_eq!(
        Value::Object(recorded).to_string(),
        r#"{"endpoint":"atlas-litellm","models":["b","a"],"thinking":false}"#
    );
}

#[test]
fn without_judges_only_the_embedded_gateway_has_its_own() {
    let built_in = resolve(&declared("embedded", &[]), &Environment::default()).unwrap().unwrap();
    assert_eq!(built_in.judges, ["builtin/judge-coverage", "builtin/judge-grounding"]);
    assert_eq!(built_in.thinking, None);
    let missing = |endpoint: &str| resolve(&declared(endpoint, &[]), &Environment::default()).err();
    assert_eq!(missing("atlas-litellm"), Some(SettingsError::NoModels));
    assert_eq!(missing("http://127.0.0.1:9/v1/chat/completions"), Some(SettingsError::NoModels));
    assert_eq!(missing(" "), Some(SettingsError::NoEndpoint));
    assert_eq!(missing("atlas"), Some(SettingsError::NotUrl));
    assert_eq!(missing("ftp://127.0.0.1/x"), Some(SettingsError::NotUrl));
}

#[test]
fn thinking_of_the_manifest_counts_for_atlas_alone_and_judge_think_for_all() {
    let url = "http://127.0.0.1:9/v1/chat/completions";
    let with = |endpoint: &str, think: Option<&str>| {
        let environment = Environment { think: think.map(str::to_owned), ..models("a") };
        resolve(&declared(endpoint, &[]), &environment).map(|settings| settings.unwrap().thinking)
    };
    assert_eq!(with("atlas-litellm", None), Ok(Some(false)));
    assert_eq!(with(url, None), Ok(None));
    assert_eq!(with(url, Some(" TRUE ")), Ok(Some(true)));
    assert_eq!(with("atlas-litellm", Some("omit")), Ok(None));
    assert_eq!(with(url, Some("")), Err(SettingsError::Think { value: String::new() }));
    assert_eq!(with(url, Some("yes")), Err(SettingsError::Think { value: "yes".into() }));
}

#[test]
fn secrets_and_ephemeral_ports_are_called_but_not_recorded() {
    let with_secret = declared("http://me:secret@127.0.0.1:9/v1/chat/completions?key=secret", &["a"]);
    let settings = resolve(&with_secret, &Environment::default()).unwrap().unwrap();
    assert_eq!(settings.endpoint, "http://127.0.0.1:9/v1/chat/completions");
    let called = address(&settings, &with_secret, &Environment::default(), &Gateways::default()).unwrap();
    assert!(called.url.contains("me:secret@"));

    let embedded = declared("embedded", &[]);
    let settings = resolve(&embedded, &Environment::default()).unwrap().unwrap();
    let here = Address { url: "http://127.0.0.1:45678/v1/chat/completions".into(), api_key: None };
    let gateways = Gateways { embedded: Some(here), atlas: None };
    assert!(address(&settings, &embedded, &Environment::default(), &gateways).unwrap().url.contains("45678"));
    let runtime = Value::Object(settings.runtime());
    assert_eq!(
        runtime.to_string(),
        r#"{"backend":"embedded","endpoint":"embedded","temperature":0.0,"thinking":null}"#
    );
}

#[test]
fn atlas_needs_its_gateway_and_a_key() {
    let atlas = declared("atlas-litellm", &["a"]);
    let settings = resolve(&atlas, &Environment::default()).unwrap().unwrap();
    let find = |key: Option<&str>, own: Option<&str>| {
        let there =
            Address { url: "http://127.0.0.1:4000/v1/chat/completions".into(), api_key: key.map(str::to_owned) };
        let environment = Environment { api_key: own.map(str::to_owned), ..Environment::default() };
        address(&settings, &atlas, &environment, &Gateways { atlas: Some(there), embedded: None })
            .map(|address| address.api_key)
    };
    assert_eq!(find(Some("master"), None), Ok(Some("master".into())));
    assert_eq!(find(Some("master"), Some("own")), Ok(Some("own".into())));
    assert_eq!(find(None, Some("")), Err(SettingsError::NoKey));
    let nowhere = address(&settings, &atlas, &Environment::default(), &Gateways::default());
    assert_eq!(nowhere.err(), Some(SettingsError::NoGateway { word: "atlas-litellm" }));
}
