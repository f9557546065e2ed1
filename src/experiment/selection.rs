//! Which approaches a run asks: names and words from the command line to profiles with their evidence capability.
//!
//! Reads an [`Experiment`]; never calls anything. Every wrong name is reported, not only the first.

use super::Experiment;
use super::flavor::{CANONICAL_BASES, Profile, supported_bases};
use super::manifest::EvidenceCapability;
use super::problem::{Problem, Problems, correction, listed, quoted};
use std::sync::Arc;

/// A profile and what its base hands out beside the answer.
pub type Selected = (Arc<Profile>, EvidenceCapability);

/// What was asked for.
#[derive(Debug, Clone, Copy)]
pub enum Selection<'a> {
    /// Every approach of the manifest, in file order. The contract's fixed six bases are not used: a manifest that
    /// lists three approaches measures three.
    Manifest,
    /// Exactly these aliases: order and repeats kept, blanks dropped.
    Models(&'a [String]),
    /// Names expanded by [`Experiment::expand_selection`].
    Flavors(&'a [String]),
}

impl Experiment {
    /// Turns a selection into profiles. A base that the manifest does not list is an error: nobody said whether its
    /// contexts are evidence.
    pub fn select(&self, selection: Selection) -> Result<Vec<Selected>, Problems> {
        let profiles = match selection {
            Selection::Manifest => {
                let models: Vec<&str> = self.manifest.approaches.iter().map(|a| a.model.as_str()).collect();
                self.find_all(&models)?
            }
            Selection::Models(models) => self.find_all(&names(models))?,
            Selection::Flavors(items) => self.expand_selection(&names(items))?,
        };
        if profiles.is_empty() {
            return Err(Problem::general("the selection names no approach").into());
        }
        let mut problems = Problems::default();
        let mut selected = Vec::new();
        for profile in profiles {
            match self.capability(&profile.base) {
                Some(capability) => selected.push((profile, capability)),
                None => problems.add(self.unlisted_base(&profile)),
            }
        }
        problems.into_result(Some(selected))
    }

    /// Expands selection words, in order, each alias once, the first place kept (`contract/evaluation.md` 1.3).
    ///
    /// `default` gives the canonical bases that the manifest lists, `all` every base of the manifest with its flavors,
    /// a base gives itself and its flavors in file order, anything else is one alias.
    pub fn expand_selection(&self, items: &[&str]) -> Result<Vec<Arc<Profile>>, Problems> {
        let mut problems = Problems::default();
        let mut expanded: Vec<Arc<Profile>> = Vec::new();
        for item in items {
            let found = match *item {
                "default" => self.find_all(&self.listed_canonical_bases()),
                "all" => {
                    let bases = self.manifest.approaches.iter().flat_map(|approach| self.with_flavors(&approach.model));
                    Ok(bases.collect())
                }
                base if self.is_base(base) => Ok(self.with_flavors(base)),
                alias => self.find_all(&[alias]),
            };
            match found {
                Ok(profiles) => {
                    for profile in profiles {
                        if !expanded.iter().any(|known| known.alias == profile.alias) {
                            expanded.push(profile);
                        }
                    }
                }
                Err(found) => problems.0.extend(found.0),
            }
        }
        problems.into_result(Some(expanded))
    }

    /// The profile of an alias: a supported base, a flavor, or an approach of the manifest that is neither (then the
    /// alias is its own base). Exact: no trimming, no case folding.
    pub fn profile(&self, alias: &str) -> Option<Arc<Profile>> {
        let known = self.flavors.iter().find(|profile| profile.alias == alias).cloned();
        known.or_else(|| self.is_base(alias).then(|| Arc::new(Profile::base(alias))))
    }

    /// What a base hands out beside its answer; null when the manifest does not list it.
    pub fn capability(&self, base: &str) -> Option<EvidenceCapability> {
        self.manifest.approaches.iter().find(|approach| approach.model == base).map(|approach| approach.evidence)
    }

    /// Whether a name is a base: one of the supported ones, or an approach of the manifest that is no flavor.
    fn is_base(&self, name: &str) -> bool {
        supported_bases().any(|base| base == name)
            || (self.capability(name).is_some() && !self.flavors.iter().any(|profile| profile.alias == name))
    }

    fn with_flavors(&self, base: &str) -> Vec<Arc<Profile>> {
        let flavors = self.flavors.iter().filter(|profile| profile.base == base && profile.alias != base).cloned();
        self.profile(base).into_iter().chain(flavors).collect()
    }

    fn listed_canonical_bases(&self) -> Vec<&'static str> {
        CANONICAL_BASES.into_iter().filter(|base| self.capability(base).is_some()).collect()
    }

    fn find_all(&self, aliases: &[&str]) -> Result<Vec<Arc<Profile>>, Problems> {
        let mut problems = Problems::default();
        let mut profiles = Vec::new();
        for alias in aliases {
            match self.profile(alias) {
                Some(profile) => profiles.push(profile),
                None => problems.add(self.unknown_alias(alias)),
            }
        }
        problems.into_result(Some(profiles))
    }

    fn unknown_alias(&self, alias: &str) -> Problem {
        Problem::general(format!("unknown approach {}", quoted(alias))).suggest(self.nearest_alias(alias))
    }

    /// The alias that a wrong one most likely means, else all of them.
    pub(super) fn nearest_alias(&self, alias: &str) -> String {
        let own = self.manifest.approaches.iter().map(|approach| approach.model.clone());
        let mut known: Vec<String> = own.collect();
        for profile in &self.flavors {
            if self.capability(&profile.base).is_some() && !known.contains(&profile.alias) {
                known.push(profile.alias.clone());
            }
        }
        correction(alias, &known)
    }

    fn unlisted_base(&self, profile: &Profile) -> Problem {
        let own: Vec<&str> = self.manifest.approaches.iter().map(|approach| approach.model.as_str()).collect();
        let manifest = super::paths::display(&self.root, &self.manifest.file);
        let message = if profile.alias == profile.base {
            format!("the manifest does not list the approach {}", quoted(&profile.base))
        } else {
            format!("the manifest does not list {}, the base of {}", quoted(&profile.base), quoted(&profile.alias))
        };
        Problem::file(manifest, message).suggest(format!("it lists {}", listed(&own, "and")))
    }
}

/// Names without the blanks around them; blank ones are dropped.
fn names(items: &[String]) -> Vec<&str> {
    items.iter().map(|item| item.trim()).filter(|item| !item.is_empty()).collect()
}
