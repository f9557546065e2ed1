//! Who may ask: only somebody who means this address, and only to read.
//!
//! A page of another site can make its own name point at 127.0.0.1 and read what is served there; such requests name that
//! site as their host and are refused. Requests that another site's page sends are refused by what browsers say of them.

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// What browsers are told about every answer: keep nothing, tell nobody, stand in no frame, guess no type.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::CACHE_CONTROL, "no-store"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::CONTENT_SECURITY_POLICY, "frame-ancestors 'none'"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// What browsers say of requests that a page of this address sends, and of those that a person makes. Another port of this
/// machine is `same-site`, and somebody else.
const OWN_SITES: [&str; 2] = ["same-origin", "none"];

/// Refuses what is not meant for `port` of this machine; marks what is answered.
pub async fn check(State(port): State<u16>, request: Request, next: Next) -> Response {
    let mut response = match refusal(request.method(), request.headers(), port) {
        Some((status, reason)) => (status, format!("error: {reason}\n")).into_response(),
        None => next.run(request).await,
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn refusal(method: &Method, headers: &HeaderMap, port: u16) -> Option<(StatusCode, &'static str)> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let ours = ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{port}"));
    let is_ours = |host: &str| ours.iter().any(|known| known.eq_ignore_ascii_case(host));
    if !text(header::HOST).is_some_and(is_ours) {
        return Some((StatusCode::MISDIRECTED_REQUEST, "this server answers to 127.0.0.1 and localhost only"));
    }
    let is_foreign = text(header::ORIGIN).is_some_and(|origin| !is_ours(origin.trim_start_matches("http://")))
        || text(HeaderName::from_static("sec-fetch-site")).is_some_and(|site| !OWN_SITES.contains(&site));
    if is_foreign {
        return Some((StatusCode::FORBIDDEN, "the page of another site asked; open the address yourself"));
    }
    (![Method::GET, Method::HEAD].contains(method))
        .then_some((StatusCode::METHOD_NOT_ALLOWED, "results can only be read"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(method: Method, headers: &[(&'static str, &'static str)]) -> Option<u16> {
        let pairs =
            headers.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        refusal(&method, &pairs.collect(), 8687).map(|(status, _)| status.as_u16())
    }

    #[test]
    fn only_the_loopback_names_with_the_right_port_are_answered() {
        for host in ["127.0.0.1:8687", "localhost:8687", "LOCALHOST:8687", "[::1]:8687"] {
            assert_eq!(asked(Method::GET, &[("host", host)]), None, "{host}");
        }
        for host in
            ["evil.example:8687", "127.0.0.1", "127.0.0.1:80", "127.0.0.1.evil.example:8687", "0.0.0.0:8687", ""]
        {
            assert_eq!(asked(Method::GET, &[("host", host)]), Some(421), "{host}");
        }
        assert_eq!(asked(Method::GET, &[]), Some(421));
    }

    #[test]
    fn pages_of_other_sites_and_writes_are_refused() {
        let host = ("host", "localhost:8687");
        assert_eq!(asked(Method::GET, &[host, ("origin", "http://evil.example")]), Some(403));
        assert_eq!(asked(Method::GET, &[host, ("origin", "null")]), Some(403));
        for site in ["cross-site", "same-site", ""] {
            assert_eq!(asked(Method::GET, &[host, ("sec-fetch-site", site)]), Some(403), "{site}");
        }
        assert_eq!(asked(Method::GET, &[host, ("sec-fetch-site", "none")]), None);
        assert_eq!(
            asked(Method::GET, &[host, ("origin", "http://localhost:8687"), ("sec-fetch-site", "same-origin")]),
            None
        );
        assert_eq!(asked(Method::POST, &[host]), Some(405));
    }
}
