//! Calendar months, read from timestamps without a clock or a time zone.

use std::fmt;

/// A calendar month, which is how finely ATT&CK dates campaigns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month {
    /// Four digits.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
}

impl Month {
    /// Reads the month of a STIX timestamp such as `2019-08-01T05:00:00.000Z`; null when it is not one.
    pub fn parse(timestamp: &str) -> Option<Self> {
        let bytes = timestamp.as_bytes();
        if bytes.len() < 20
            || bytes[4] != b'-'
            || bytes[7] != b'-'
            || bytes[10] != b'T'
            || bytes[bytes.len() - 1] != b'Z'
        {
            return None;
        }
        let number = |range: std::ops::Range<usize>| -> Option<u16> {
            bytes[range]
                .iter()
                .try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + u16::from(byte - b'0')))
        };
        let (year, month, day) = (number(0..4)?, u8::try_from(number(5..7)?).ok()?, number(8..10)?);
        ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some(Self { year, month })
    }
}

impl fmt::Display for Month {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        const NAMES: [&str; 12] = [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ];
        write!(formatter, "{} {}", NAMES[usize::from(self.month - 1)], self.year)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_come_from_whole_timestamps_only() {
        assert_eq!(Month::parse("2019-08-01T05:00:00.000Z").unwrap().to_string(), "August 2019");
        for text in [
            "2019-13-01T05:00:00Z",
            "2019-00-01T05:00:00Z",
            "2019-08",
            "",
            "2019-08-01 05:00:00Z",
            "2o19-08-01T05:00:00Z",
        ] {
            assert!(Month::parse(text).is_none(), "{text}");
        }
    }
}
