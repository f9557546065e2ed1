//! How much memory a connection may take: every bound is a script under `sql/engine`. Pure.

/// A bound on the memory of a connection. The bytes stand in the scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// Brings a warehouse level while a run needs the rest.
    BesideARun,
    /// Loads evidence.
    Loading,
    /// Loads evidence whose rows the usual bound cannot hold.
    Roomy,
    /// Hands rows to somebody who encodes them into files and needs memory for it.
    Exporting,
    /// Answers questions.
    Reading,
    /// Puts whole answers and contexts side by side, or exports rows that are too long for the usual bound.
    Pages,
    /// Answers the console in a browser.
    Console,
    /// Takes what the engine takes by itself: a share of what the system has.
    Everything,
}

impl Memory {
    /// The script that sets the bound. A number in each: `reset` would change what the setting says and not what the
    /// engine does, which is why [`Memory::Everything`] sets none.
    pub(super) fn script(self) -> &'static str {
        match self {
            Self::BesideARun => "engine/beside_a_run",
            Self::Loading => "engine/loading",
            Self::Roomy => "engine/roomy",
            Self::Exporting => "engine/exporting",
            Self::Reading => "engine/reading",
            Self::Pages => "engine/pages",
            Self::Console => "engine/console",
            Self::Everything => "engine/unrestricted",
        }
    }
}
