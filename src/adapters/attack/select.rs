//! Chooses the objects that become dossiers.
//!
//! The limit is shared among the kinds in fixed proportions; within a kind the objects with the most relations come
//! first, and equal counts are settled by identifier. Reads facts only, so the choice never depends on file order.

use super::facts::Facts;
use super::identity::{AttackId, Kind};
use std::collections::{BTreeMap, BTreeSet};

/// The number of dossiers when nobody asks for another: exactly one share of each kind.
pub const DEFAULT_LIMIT: usize = 66;

/// The dossiers of each kind among [`DEFAULT_LIMIT`].
fn share(kind: Kind) -> usize {
    match kind {
        Kind::Group => 18,
        Kind::Software => 16,
        Kind::Technique => 14,
        Kind::Campaign => 8,
        Kind::Mitigation => 10,
    }
}

/// Chooses at most `limit` objects.
pub fn select(facts: &Facts, limit: usize) -> BTreeSet<AttackId> {
    let mut relations_n: BTreeMap<&AttackId, usize> = facts.entities.keys().map(|id| (id, 0)).collect();
    for relation in &facts.relations {
        for end in [&relation.from, &relation.to] {
            *relations_n.entry(end).or_default() += 1;
        }
    }
    let quotas = quotas(limit);
    let mut slice = BTreeSet::new();
    for (kind, quota) in quotas {
        let mut ranked: Vec<(&AttackId, usize)> =
            relations_n.iter().filter(|(id, _)| id.kind() == kind).map(|(id, count)| (*id, *count)).collect();
        ranked.sort_by(|(left, left_n), (right, right_n)| right_n.cmp(left_n).then_with(|| left.cmp(right)));
        slice.extend(ranked.into_iter().take(quota).map(|(id, _)| id.clone()));
    }
    slice
}

/// Shares `limit` among the kinds by largest remainder; equal remainders go to the kind with the larger share.
fn quotas(limit: usize) -> Vec<(Kind, usize)> {
    let mut kinds: Vec<(Kind, usize, usize)> = Kind::ALL
        .into_iter()
        .map(|kind| {
            let product = limit as u128 * share(kind) as u128;
            let (whole, remainder) = (product / DEFAULT_LIMIT as u128, product % DEFAULT_LIMIT as u128);
            (kind, whole as usize, remainder as usize)
        })
        .collect();
    let missing = limit - kinds.iter().map(|(_, whole, _)| whole).sum::<usize>();
    kinds.sort_by(|left, right| right.2.cmp(&left.2).then_with(|| share(right.0).cmp(&share(left.0))));
    for (_, whole, _) in kinds.iter_mut().take(missing) {
        *whole += 1;
    }
    kinds.into_iter().map(|(kind, whole, _)| (kind, whole)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotas_add_up_to_the_limit() {
        for limit in [1, 2, 5, 33, 65, DEFAULT_LIMIT, 67, 1000] {
            assert_eq!(quotas(limit).iter().map(|(_, quota)| quota).sum::<usize>(), limit);
        }
        assert!(quotas(DEFAULT_LIMIT).into_iter().all(|(kind, quota)| quota == share(kind)));
        assert_eq!(quotas(usize::MAX).iter().map(|(_, quota)| quota).sum::<usize>(), usize::MAX);
    }
}
