//! Who may ask, and how often: the token of the printed address, the right Host and Origin, and what the page itself may do.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::history::lock;

/// Questions in a second at most, of all pages together; one that is busy asks some 50.
const MOST_QUESTIONS: u32 = 1000;

/// What is asked of every request.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// What the printed address carries.
    token: String,
    /// Where this server listens.
    bound: SocketAddr,
    rate: Arc<Mutex<Rate>>,
}

/// How much came lately.
#[derive(Debug)]
pub(crate) struct Rate {
    since: Instant,
    count: u32,
}

impl Default for Rate {
    fn default() -> Self {
        Self { since: Instant::now(), count: 0 }
    }
}

impl Rate {
    /// Counts one more; false if that is too many in a second.
    pub(crate) fn allows(&mut self, most: u32) -> bool {
        if self.since.elapsed() > Duration::from_secs(1) {
            *self = Self::default();
        }
        self.count = self.count.saturating_add(1);
        self.count <= most
    }
}

/// A refusal in words.
pub(crate) fn refusal(status: StatusCode, error: &str, hint: Option<&str>) -> Response {
    (status, axum::Json(json!({ "error": error, "hint": hint }))).into_response()
}

/// A new token: 128 bits that nobody can guess.
///
/// # Errors
/// If the system has no randomness to give.
pub(crate) fn new_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_le_bytes(bytes)))
}

impl Guard {
    pub(crate) fn new(token: String, bound: SocketAddr) -> Self {
        Self { token, bound, rate: Arc::default() }
    }

    /// True if this server goes by a name: its address with the port, or localhost. Where it listens on all addresses of the
    /// machine any of them may be used, but no other name: that would be a page elsewhere.
    fn knows(&self, host: &str) -> bool {
        let Some((name, port)) = host.rsplit_once(':') else { return false };
        let address: Option<IpAddr> = name.trim_matches(['[', ']']).parse().ok();
        let is_own = match address {
            Some(address) => {
                address == self.bound.ip()
                    || self.bound.ip().is_unspecified()
                    || address.is_loopback()
            }
            None => name.eq_ignore_ascii_case("localhost"),
        };
        is_own && port.parse() == Ok(self.bound.port())
    }

    /// Why a request is refused, if it is.
    pub(crate) fn refuses(
        &self,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Option<(StatusCode, &'static str)> {
        let text = |name: HeaderName| headers.get(name).map(HeaderValue::to_str);
        // A name that is not ours belongs to a page elsewhere that lets its own name lead here.
        let host = text(header::HOST).and_then(Result::ok).filter(|host| self.knows(host));
        let Some(host) = host else {
            return Some((StatusCode::FORBIDDEN, "this server has another name"));
        };
        if let Some(origin) = text(header::ORIGIN)
            && origin.ok().and_then(|it| it.strip_prefix("http://")) != Some(host)
        {
            return Some((StatusCode::FORBIDDEN, "a page from elsewhere may not ask here"));
        }
        if !uri.path().starts_with("/api/") {
            return None;
        }
        let bearer = match text(header::AUTHORIZATION) {
            Some(Ok(value)) => value.strip_prefix("Bearer "),
            _ => None,
        };
        let pairs = uri.query().unwrap_or_default().split('&');
        let asked =
            pairs.filter_map(|pair| pair.split_once('=')).find(|(name, _)| *name == "token");
        let given = bearer.or(asked.map(|(_, token)| token));
        let is_right = given.is_some_and(|given| same(given.as_bytes(), self.token.as_bytes()));
        if !is_right {
            return Some((StatusCode::UNAUTHORIZED, "the token is missing or wrong"));
        }
        // Strangers do not count: they must not keep others out.
        let is_often = !lock(&self.rate).allows(MOST_QUESTIONS);
        is_often.then_some((StatusCode::TOO_MANY_REQUESTS, "too many questions in a second"))
    }
}

/// Compares in a time that does not tell where they differ.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |seen, (a, b)| seen | (a ^ b)) == 0
}

/// Asks every request, and says with every answer what a browser may do with it.
pub(crate) async fn watch(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut answer = match guard.refuses(request.uri(), request.headers()) {
        Some((status @ StatusCode::TOO_MANY_REQUESTS, why)) => refusal(status, why, None),
        Some((status, why)) => {
            refusal(status, why, Some("open the address that `carom view` printed"))
        }
        None => next.run(request).await,
    };
    let headers = [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'none'",
        ),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in headers {
        answer.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(uri: &str, headers: &[&(HeaderName, &str)]) -> Option<u16> {
        refused_at("127.0.0.1:80", uri, headers)
    }

    fn refused_at(bound: &str, uri: &str, headers: &[&(HeaderName, &str)]) -> Option<u16> {
        let guard = Guard::new("abc".into(), bound.parse().expect("an address"));
        let headers = headers.iter().map(|(name, value)| {
            (name.clone(), HeaderValue::from_str(value).expect("plain letters"))
        });
        let uri: Uri = uri.parse().expect("an address");
        guard.refuses(&uri, &headers.collect()).map(|(status, _)| status.as_u16())
    }

    #[test]
    fn only_the_right_name_page_and_token_are_let_in() {
        let host = &(header::HOST, "127.0.0.1:80");
        assert_eq!(refused("/", &[host]), None);
        assert_eq!(refused("/", &[]), Some(403));
        assert_eq!(refused("/", &[&(header::HOST, "evil.example")]), Some(403));
        let api = "/api/scenes";
        assert_eq!(refused(api, &[host]), Some(401));
        assert_eq!(refused("/api/scenes?token=abd", &[host]), Some(401));
        assert_eq!(refused("/api/scenes?x=1&token=abc", &[host]), None);
        let bearer = &(header::AUTHORIZATION, "Bearer abc");
        assert_eq!(refused(api, &[host, bearer]), None);
        let own = &(header::ORIGIN, "http://127.0.0.1:80");
        assert_eq!(refused(api, &[host, bearer, own]), None);
        let other = &(header::ORIGIN, "http://evil.example");
        assert_eq!(refused(api, &[host, bearer, other]), Some(403));
    }

    #[test]
    fn a_server_for_all_addresses_goes_by_each_of_them_and_no_other_name() {
        let asked = |host| refused_at("0.0.0.0:80", "/", &[&(header::HOST, host)]);
        let answers =
            ["192.0.2.7:80", "localhost:80", "192.0.2.7:81", "evil.example:80"].map(asked);
        assert_eq!(answers, [None, None, Some(403), Some(403)]);
    }

    #[test]
    fn who_asks_too_often_is_refused_and_strangers_use_nothing_up() {
        let guard = Guard::new("abc".into(), "127.0.0.1:80".parse().expect("an address"));
        let headers = [(header::HOST, HeaderValue::from_static("127.0.0.1:80"))];
        let headers: HeaderMap = headers.into_iter().collect();
        let ask = |uri: &str| {
            let refused = guard.refuses(&uri.parse().expect("an address"), &headers);
            refused.map(|(status, _)| status.as_u16())
        };
        assert_eq!((ask("/api/x?token=x"), lock(&guard.rate).count), (Some(401), 0));
        assert_eq!((ask("/api/x?token=abc"), lock(&guard.rate).count), (None, 1));
        // A second that is not over however long this takes.
        let later = Instant::now() + Duration::from_hours(1);
        *lock(&guard.rate) = Rate { since: later, count: MOST_QUESTIONS };
        assert_eq!(ask("/api/x?token=abc"), Some(429));
        let Some(earlier) = Instant::now().checked_sub(Duration::from_secs(2)) else { return };
        *lock(&guard.rate) = Rate { since: earlier, count: MOST_QUESTIONS };
        assert_eq!(ask("/api/x?token=abc"), None);
    }

    #[test]
    fn tokens_are_long_and_never_the_same() {
        let (a, b) = (new_token().expect("randomness"), new_token().expect("randomness"));
        assert!(a.len() == 32 && a != b, "{a} {b}");
    }
}
