//! The text of a floating-point number, and decimal rounding.
//!
//! Source: `contract/evaluation.md` section 12 (the shortest digits that round-trip, with Python's exponent style).

/// Writes a finite double the way Python's `repr` does.
///
/// Integral values keep a `.0`; the exponent form is used when the decimal exponent is below -4 or at least 16,
/// written with a sign and at least two digits. Not meant for NaN or infinities, which have no JSON text; they come
/// out as Rust prints them, and [`super::canonical`] refuses them before.
pub fn float_text(value: f64) -> String {
    let scientific = format!("{value:e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let Ok(exponent) = exponent.parse::<i32>() else {
        return scientific;
    };
    if (-4..16).contains(&exponent) {
        let plain = format!("{value}");
        return if plain.contains('.') { plain } else { format!("{plain}.0") };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

/// Rounds to `digits` decimals: half to even on the exact binary value, as `round(x, digits)` does in Python.
///
/// NaN and infinities are returned unchanged.
pub fn round_to(value: f64, digits: usize) -> f64 {
    if !value.is_finite() {
        return value;
    }
    format!("{value:.digits$}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn float_text_uses_pythons_exponent_style() {
        for (value, text) in [
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (0.000012, "1.2e-05"),
            (1e16, "1e+16"),
            (1e15, "1000000000000000.0"),
            (123456789012345680.0, "1.2345678901234568e+17"),
            (100.0, "100.0"),
            (-0.0, "-0.0"),
            (1e-300, "1e-300"),
            (0.1 + 0.2, "0.30000000000000004"),
        ] {
            assert_eq!(float_text(value), text);
        }
    }

    #[test]
    fn rounding_is_half_even_on_the_binary_value() {
        for (value, rounded) in [
            (1.0 / 128.0, 0.007812),
            (3.0 / 128.0, 0.023438),
            (2.5e-06, 3e-06),
            (1.5e-06, 2e-06),
            (5e-07, 0.0),
            (2.0 / 3.0, 0.666667),
        ] {
            assert_eq!(round_to(value, 6), rounded);
        }
        for (value, rounded) in [(4.125, 4.12), (4.375, 4.38), (2.675, 2.67), (1.005, 1.0), (0.125, 0.12)] {
            assert_eq!(round_to(value, 2), rounded);
        }
    }
}
