//! The audit of a large panel: five judges, two hundred questions, nineteen answers.

use super::support::{ask, warehouse};
use super::verdict_sidecar::{ingest, verdict};
use std::time::Instant;

#[test]
fn a_large_panel_is_audited_in_seconds() {
    let names: Vec<String> = (0..19).map(|approach| format!("a{approach:02}")).collect();
    let mut all = Vec::new();
    for judge in 0..5_u64 {
        for question in 0..200_u64 {
            let score = |approach: u64| {
                let mixed = (question * 31 + approach * 17).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
                Some((1 + (mixed % 3 + (mixed >> 9).wrapping_add(judge * 7) % 3)) as f64)
            };
            let mut shown: Vec<_> =
                names.iter().enumerate().map(|(index, name)| (name.as_str(), score(index as u64))).collect();
            shown.rotate_left(usize::try_from((question * 5 + judge) % 19).unwrap());
            all.push(verdict(&format!("q{question:03}"), &format!("j{judge}"), &shown));
        }
    }
    let warehouse = warehouse(2);
    assert_eq!(ingest(&warehouse, &all).unwrap(), 1000);
    for name in ["judges", "pairs", "alpha", "effects", "families"] {
        let start = Instant::now();
        assert!(!ask(&warehouse, &format!("metrics/audit_{name}"), &[]).rows.is_empty());
        let seconds = start.elapsed().as_secs_f64();
        println!("metrics/audit_{name}: {seconds:.3} s");
        // The aim is one second on a quiet machine; a crowded one gets ten, so that the case fails for shape, not for luck.
        assert!(seconds < 10.0, "metrics/audit_{name} took {seconds:.1} s");
    }
}
