//! When to call again, and how long to wait before it.
//!
//! Pure but for [`Pace::sleep`] and the clock that an HTTP date is compared with. Never calls anybody.

use super::failure::CallFailure;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// How often and after which waits a failed call is repeated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetryPolicy {
    /// Further attempts after the first.
    pub retries: u32,
    /// No wait is shorter, in seconds.
    pub minimum_s: f64,
    /// Upper end of the first wait, in seconds; doubles with every retry.
    pub base_s: f64,
    /// No back-off is longer, in seconds; a `Retry-After` may be.
    pub cap_s: f64,
    /// A `Retry-After` beyond it ends the retries, in seconds.
    pub retry_after_cap_s: f64,
}

impl RetryPolicy {
    /// The policy of every service: 0.1 s to 0.5 s at first, doubled up to 30 s, and no waiting beyond 300 s.
    pub fn new(retries: u32) -> Self {
        Self { retries, minimum_s: 0.1, base_s: 0.5, cap_s: 30.0, retry_after_cap_s: 300.0 }
    }

    /// Decides what follows `failure` when `retries_used` retries are behind us.
    ///
    /// `share` in 0..1 places the wait between its ends.
    pub fn decide(&self, failure: &CallFailure, retries_used: u32, share: f64) -> Decision {
        if !failure.is_retriable() || retries_used >= self.retries || self.asks_too_much(failure) {
            return Decision::GiveUp;
        }
        Decision::Wait { wait_s: self.wait_s(failure, retries_used, share) }
    }

    /// Exponential back-off with full jitter on top of the floor that the service asked for, in seconds.
    pub fn wait_s(&self, failure: &CallFailure, waits_before: u32, share: f64) -> f64 {
        let ceiling = (self.base_s * 2f64.powi(waits_before.min(30) as i32)).clamp(self.minimum_s, self.cap_s);
        let floor = failure.retry_after_s.unwrap_or(0.0).max(self.minimum_s);
        floor + share * (ceiling - self.minimum_s)
    }

    /// Whether the service wants to be left alone for longer than anybody should wait.
    pub fn asks_too_much(&self, failure: &CallFailure) -> bool {
        failure.retry_after_s.is_some_and(|seconds| seconds > self.retry_after_cap_s)
    }
}

/// What follows a failed attempt.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Decision {
    /// Call again after this many seconds.
    Wait {
        /// In seconds.
        wait_s: f64,
    },
    /// The failure stands.
    GiveUp,
}

/// How fast waits pass: 1 in use; a test makes seconds pass in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// Real seconds per second of waiting.
    pub scale_ratio: f64,
}

impl Pace {
    /// Waits take as long as they say.
    pub const REAL: Self = Self { scale_ratio: 1.0 };

    /// The real duration of a wait of `seconds`.
    pub fn duration(self, seconds: f64) -> Duration {
        Duration::try_from_secs_f64(seconds * self.scale_ratio).unwrap_or(Duration::MAX)
    }

    /// Waits for `seconds`.
    pub async fn sleep(self, seconds: f64) {
        tokio::time::sleep(self.duration(seconds)).await;
    }
}

/// A seeded source of shares in 0..1 for spreading waits; never used for anything that is measured.
#[derive(Debug)]
pub struct Jitter {
    state: AtomicU64,
}

impl Jitter {
    /// The same seed gives the same shares.
    pub fn new(seed: u64) -> Self {
        Self { state: AtomicU64::new(seed) }
    }

    /// The next share, uniform in 0..1 (SplitMix64).
    pub fn share(&self) -> f64 {
        const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
        let mut bits = self.state.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^= bits >> 31;
        (bits >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Reads how long a service asks to be left alone, in seconds.
///
/// `milliseconds` is the `retry-after-ms` header and wins; `after` is `Retry-After`: whole or fractional seconds, or
/// an HTTP date, compared with `now`. A date that has passed gives 0; a negative or unreadable value gives nothing.
pub fn retry_after_s(after: Option<&str>, milliseconds: Option<&str>, now: SystemTime) -> Option<f64> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| value.is_finite() && *value >= 0.0);
    if let Some(value) = milliseconds.and_then(number) {
        return Some(value / 1000.0);
    }
    let after = after?;
    number(after).or_else(|| {
        let date = httpdate::parse_http_date(after.trim()).ok()?;
        Some(date.duration_since(now).map_or(0.0, |wait| wait.as_secs_f64()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(seconds: Option<f64>) -> CallFailure {
        CallFailure::from_status(429, seconds, "refused")
    }

    #[test]
    fn every_form_of_retry_after_is_read() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        for (after, milliseconds, expected) in [
            (Some("3"), None, Some(3.0)),
            (Some(" 0.25 "), None, Some(0.25)),
            (Some("0"), None, Some(0.0)),
            (Some("7"), Some("1500"), Some(1.5)),
            (Some("7"), Some("soon"), Some(7.0)),
            (Some("Sun, 06 Nov 1994 08:49:47 GMT"), None, Some(10.0)),
            (Some("Sun, 06 Nov 1994 08:49:07 GMT"), None, Some(0.0)),
            (Some("-1"), None, None),
            (Some("inf"), None, None),
            (Some("later"), None, None),
            (None, None, None),
        ] {
            assert_eq!(retry_after_s(after, milliseconds, now), expected, "{after:?} {milliseconds:?}");
        }
    }

    #[test]
    fn retry_after_is_a_floor_and_zero_still_waits_the_minimum() {
        let policy = RetryPolicy::new(5);
        assert_eq!(policy.decide(&refused(Some(3.0)), 0, 0.0), Decision::Wait { wait_s: 3.0 });
        assert_eq!(policy.decide(&refused(Some(0.0)), 1, 0.0), Decision::Wait { wait_s: 0.1 });
        assert!(policy.wait_s(&refused(Some(3.0)), 0, 0.999) < 3.4);
        assert_eq!(policy.wait_s(&refused(None), 40, 1.0), 30.0);
    }

    #[test]
    fn no_budget_and_an_absurd_floor_both_give_up() {
        assert_eq!(RetryPolicy::new(0).decide(&refused(None), 0, 0.5), Decision::GiveUp);
        assert_eq!(RetryPolicy::new(5).decide(&refused(Some(43_200.0)), 0, 0.5), Decision::GiveUp);
        assert_eq!(RetryPolicy::new(5).decide(&refused(None), 5, 0.5), Decision::GiveUp);
    }

    #[test]
    fn faults_of_the_request_are_never_retried() {
        for (status, retried) in [
            (400, false),
            (401, false),
            (403, false),
            (404, false),
            (422, false),
            (408, true),
            (409, true),
            (500, true),
        ] {
            assert_eq!(CallFailure::from_status(status, None, "").is_retriable(), retried, "{status}");
        }
    }

    #[test]
    fn shares_stay_below_one_and_differ() {
        let jitter = Jitter::new(7);
        let shares: Vec<f64> = (0..1000).map(|_| jitter.share()).collect();
        assert!(shares.iter().all(|share| (0.0..1.0).contains(share)));
        assert!(shares.iter().any(|share| *share < 0.05) && shares.iter().any(|share| *share > 0.95));
    }
}
