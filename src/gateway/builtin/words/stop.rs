//! Function words: they say nothing about the topic.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Articles, pronouns, prepositions, auxiliaries, question words and the like, separated by blanks.
const STOP_WORDS: &str = "
    a about above across after again against all almost along already also although always am among an and another
    any anybody anyone anything are around as at away be became because become been before behind being below
    between both but by can cannot could did do does doing done down during each either else ever every everything
    few for from further had has have having he her here hers herself him himself his how however i if in instead
    into is it its itself just least less let like many may me might mine more most much must my myself neither no
    nor not now of off often on once one only onto or other others our ours out over own per quite rather same
    shall she should since so some somebody someone something still such than that the their theirs them
    themselves then there these they this those though through thus to together too toward towards under until up
    upon us very via was we well were what when where whether which while who whom whose why will with within
    without would yet you your yours yourself
";

static SET: LazyLock<HashSet<&str>> = LazyLock::new(|| STOP_WORDS.split_whitespace().collect());

/// True when a lower-cased word is a function word.
pub(in crate::gateway::builtin) fn is_stop_word(lower: &str) -> bool {
    SET.contains(lower)
}
