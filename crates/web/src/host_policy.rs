//! Which requests are answered, and the headers that keep the page to itself.

use super::refusal::log_refusal;
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::sync::Arc;

/// The names that the server answers to, besides addresses and `localhost`.
#[derive(Clone, Debug, Default)]
pub(super) struct HostPolicy {
    hosts: Arc<[String]>,
}

impl HostPolicy {
    /// A guard that also lets requests for these host names through.
    pub(super) fn new(hosts: &[String]) -> HostPolicy {
        HostPolicy {
            hosts: hosts.iter().map(|host| host.to_ascii_lowercase()).collect(),
        }
    }

    /// Returns true if a request may be answered.
    ///
    /// The owner of a name can make it lead to this machine (DNS
    /// rebinding), addresses cannot. A request that a page made says where the page
    /// came from; it must be from here.
    fn allows(&self, headers: &HeaderMap) -> bool {
        let Some(host) = text(headers, &HOST) else {
            return false;
        };
        let Some(name) = host_name(host) else {
            return false;
        };
        let is_address = name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
        let is_ours = is_address || name == "localhost" || self.hosts.contains(&name);
        let from_here = match headers.contains_key(ORIGIN) {
            true => text(headers, &ORIGIN).is_some_and(|origin| same_host(origin, host)),
            false => true,
        };
        is_ours && from_here
    }
}

/// Refuses requests for other servers, and adds the headers of every response.
pub(super) async fn guard(
    State(guard): State<HostPolicy>,
    request: Request,
    next: Next,
) -> Response {
    let host = text(request.headers(), &HOST)
        .unwrap_or_default()
        .to_owned();
    let mut response = if guard.allows(request.headers()) {
        next.run(request).await
    } else {
        log_refusal(format_args!(
            "event=foreign_request uri={} host={host:?}",
            request.uri()
        ));
        (StatusCode::FORBIDDEN, "This page is not for you.\n").into_response()
    };
    let headers = response.headers_mut();
    for (name, value) in FIXED_HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // Older browsers do not count a WebSocket as 'self'.
    let sockets = match host_name(&host) {
        Some(_) => format!("ws://{host} wss://{host}"),
        None => String::new(),
    };
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self' {sockets}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    response
}

const FIXED_HEADERS: [(HeaderName, &str); 5] = [
    (CACHE_CONTROL, "no-cache"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// The header's text if there is exactly one.
fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// The name of a `Host` header without its port, in small letters.
fn host_name(host: &str) -> Option<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-_:[]".contains(c);
    if !host.chars().all(plain) {
        return None;
    }
    let name = match host.rfind(':') {
        Some(colon) if !host.ends_with(']') => &host[..colon],
        _ => host,
    };
    (!name.is_empty()).then(|| name.to_ascii_lowercase())
}

/// Returns true if an `Origin` header names the same host and port as a `Host` header.
fn same_host(origin: &str, host: &str) -> bool {
    let uri = origin.parse::<Uri>().ok();
    let authority = uri.as_ref().and_then(Uri::authority);
    authority.is_some_and(|authority| authority.as_str().eq_ignore_ascii_case(host))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn allows(host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().unwrap());
        }
        HostPolicy::new(&["Club.example".to_owned()]).allows(&headers)
    }

    #[test]
    fn requests_for_this_machine_are_answered() {
        for host in [
            "127.0.0.1:5225",
            "localhost:5225",
            "LOCALHOST",
            "[::1]:9",
            "[::1]",
            "10.0.0.7",
        ] {
            assert!(allows(host, None), "{host}");
        }
        assert!(allows("club.example", None));
        assert!(!allows("evil.example:5225", None));
        assert!(!allows("localhost.evil.example", None));
        assert!(!allows("a b", None));
        assert!(!HostPolicy::default().allows(&HeaderMap::new()));
    }

    #[test]
    fn pages_from_elsewhere_are_refused() {
        let host = "127.0.0.1:5225";
        assert!(allows(host, Some("http://127.0.0.1:5225")));
        for origin in [
            "http://127.0.0.1:80",
            "http://localhost:5225",
            "https://evil.example",
            "null",
        ] {
            assert!(!allows(host, Some(origin)), "{origin}");
        }
        assert!(allows("club.example", Some("https://club.example")));
    }

    #[test]
    fn two_hosts_are_no_host() {
        let mut headers = HeaderMap::new();
        headers.append(HOST, "localhost".parse().unwrap());
        headers.append(HOST, "localhost".parse().unwrap());
        assert!(!HostPolicy::default().allows(&headers));
    }
}
