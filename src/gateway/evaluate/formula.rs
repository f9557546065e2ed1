//! From verdicts to scores: the aggregation of the four Ragas metrics.
//!
//! Source: the collection metrics of Ragas 0.4 (Es et al. 2024, "RAGAS: Automated Evaluation of Retrieval Augmented
//! Generation"). One deviation: context precision divides by the number of useful contexts itself and not by that number
//! plus 1e-10, so that a perfect ranking is 1 and not 0.9999999999.

/// The share of verdicts that are true; none without verdicts. Faithfulness and context recall.
pub fn share_of_true(verdicts: &[bool]) -> Option<f64> {
    let count = verdicts.iter().filter(|verdict| **verdict).count();
    (!verdicts.is_empty()).then(|| count as f64 / verdicts.len() as f64)
}

/// The mean of the cosines between the question and the generated questions; 0 when every one of them came from a
/// non-committal answer; none without any. Both slices have one entry per generated question.
pub fn answer_relevancy(cosines: &[f64], non_committal: &[bool]) -> Option<f64> {
    if cosines.is_empty() {
        return None;
    }
    if non_committal.iter().all(|refuses| *refuses) {
        return Some(0.0);
    }
    Some(cosines.iter().sum::<f64>() / cosines.len() as f64)
}

/// The cosine of two vectors of equal size, in double precision: -1 to 1; none when one of them has no direction.
pub fn cosine(left: &[f32], right: &[f32]) -> Option<f64> {
    let dot = |left: &[f32], right: &[f32]| -> f64 {
        left.iter().zip(right).map(|(left, right)| f64::from(*left) * f64::from(*right)).sum()
    };
    let lengths = dot(left, left).sqrt() * dot(right, right).sqrt();
    // Rounding alone leads out of the range.
    (lengths != 0.0).then(|| (dot(left, right) / lengths).clamp(-1.0, 1.0))
}

/// Average precision over contexts in rank order: the mean, over the useful ones, of the share of useful contexts up to
/// there. 0 when none is useful.
pub fn context_precision(verdicts: &[bool]) -> f64 {
    let mut useful = 0_u32;
    let mut sum = 0.0;
    for (index, verdict) in verdicts.iter().enumerate() {
        if *verdict {
            useful += 1;
            sum += f64::from(useful) / (index + 1) as f64;
        }
    }
    if useful == 0 { 0.0 } else { sum / f64::from(useful) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perfect_precision_is_exactly_one() {
        for count in 1..=50 {
            assert_eq!(context_precision(&vec![true; count]), 1.0);
            let mut tail = vec![true; count];
            tail.extend([false, false]);
            assert_eq!(context_precision(&tail), 1.0);
        }
    }

    #[test]
    fn precision_falls_with_useless_contexts_in_front() {
        assert_eq!(context_precision(&[false, true]), 0.5);
        assert_eq!(context_precision(&[true, false, true]), (1.0 + 2.0 / 3.0) / 2.0);
        assert_eq!(context_precision(&[false, false]), 0.0);
        assert_eq!(context_precision(&[]), 0.0);
    }

    #[test]
    fn relevancy_is_zero_only_when_everything_is_non_committal() {
        assert_eq!(answer_relevancy(&[0.9, 0.8], &[true, true]), Some(0.0));
        assert_eq!(answer_relevancy(&[0.5, 0.25], &[true, false]), Some(0.375));
        assert_eq!(answer_relevancy(&[-0.5], &[false]), Some(-0.5));
        assert_eq!(answer_relevancy(&[], &[]), None);
    }

    #[test]
    fn a_cosine_stays_within_its_range_and_needs_two_directions() {
        let mut state = 1_u32;
        let mut component = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        for _ in 0..1000 {
            let vector: Vec<f32> = (0..16).map(|_| component()).collect();
            let opposite: Vec<f32> = vector.iter().map(|part| -part).collect();
            let (same, other) = (cosine(&vector, &vector).unwrap(), cosine(&vector, &opposite).unwrap());
            assert!((0.999_999..=1.0).contains(&same), "{same}");
            assert!((-1.0..=-0.999_999).contains(&other), "{other}");
        }
        assert_eq!(cosine(&[0.0, 0.0], &[1.0, 0.0]), None);
        assert!(cosine(&[f32::NAN], &[1.0]).unwrap().is_nan(), "not a number is not hidden");
    }

    #[test]
    fn no_verdict_gives_no_share() {
        assert_eq!(share_of_true(&[]), None);
        assert_eq!(share_of_true(&[true, false, false, true]), Some(0.5));
    }
}
