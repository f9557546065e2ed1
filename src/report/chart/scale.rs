//! Where a number lies between two ends, and which round numbers mark the way.

/// A scale from a range of values to a range of places.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    is_log: bool,
}

impl Scale {
    /// Even steps. A range without extent is widened, so that its value lies in the middle.
    pub fn linear([low, high]: [f64; 2], [from, to]: [f64; 2]) -> Self {
        let (low, high) = if high > low { (low, high) } else { (low - 0.5, low + 0.5) };
        Self { low, high, from, to, is_log: false }
    }

    /// Even steps of the logarithm where the values span more than a factor of 20, else even steps.
    pub fn spanning([low, high]: [f64; 2], places: [f64; 2]) -> Self {
        if low > 0.0 && high > 20.0 * low {
            let [low, high] = [low.log10().floor(), high.log10().ceil()];
            return Self { is_log: true, ..Self::linear([low, high], places) };
        }
        Self::linear(padded([low, high]), places)
    }

    /// The place of a value; values beyond the ends are held at them.
    pub fn place(&self, value: f64) -> f64 {
        let value = if self.is_log { value.max(f64::MIN_POSITIVE).log10() } else { value };
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.from + share * (self.to - self.from)
    }

    /// Round values on the way, with their text and place.
    pub fn ticks(&self) -> Vec<(String, f64)> {
        let step = if self.is_log { 1.0 } else { step(self.high - self.low) };
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        let decimals = if step < 1.0 { (-step.log10().floor()) as usize } else { 0 };
        (first..=last)
            .map(|count| {
                let at = count as f64 * step;
                let value = if self.is_log { 10_f64.powf(at) } else { at };
                let text = if self.is_log && value < 1.0 { format!("{value}") } else { format!("{value:.decimals$}") };
                (text, self.place(value))
            })
            .collect()
    }
}

/// A range with room at both ends.
pub fn padded([low, high]: [f64; 2]) -> [f64; 2] {
    let room = (high - low) * 0.06;
    [low - room, high + room]
}

/// The least and the greatest of some values; nothing without values.
pub fn range(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    values.fold(None, |known, value| {
        let [low, high] = known.unwrap_or([value, value]);
        Some([low.min(value), high.max(value)])
    })
}

/// 1, 2 or 5 times a power of ten, so that a span has four to ten steps.
fn step(span: f64) -> f64 {
    let power = 10_f64.powf((span / 5.0).log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| span / (factor * power) <= 7.0);
    factor.unwrap_or(10.0) * power
}
