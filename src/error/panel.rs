//! The failures of the `panel` room as people see them.

use super::{Failure, Kind};
use crate::panel::error::{InputError, PanelError, SettingsError, StoreError};

impl From<SettingsError> for Failure {
    fn from(error: SettingsError) -> Self {
        let hint = match error {
            SettingsError::NoEndpoint => "set `JUDGE_ENDPOINT`, or `metrics.judge_panel.endpoint` in the manifest",
            SettingsError::NoModels => "list two or more in `JUDGE_MODELS`, or switch the panel off in the manifest",
            SettingsError::NoKey => "set `JUDGE_API_KEY` or `LITELLM_MASTER_KEY`",
            SettingsError::NoGateway { .. } => "set `JUDGE_ENDPOINT` to a chat completions URL",
            SettingsError::NotUrl | SettingsError::Think { .. } => return Failure::new(Kind::Input, error),
        };
        Failure::new(Kind::Input, error).hint(hint)
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Failure::new(Kind::Input, error)
    }
}

impl From<PanelError> for Failure {
    fn from(error: PanelError) -> Self {
        match error {
            PanelError::Store(store) => store.into(),
            PanelError::Client { .. } => Failure::new(Kind::Outside, error),
            PanelError::Template { .. } | PanelError::ReservedName { .. } => Failure::new(Kind::Input, error),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Damaged { .. } => {
                Failure::new(Kind::Input, error).hint("move the file aside to judge everything again")
            }
            StoreError::Busy { .. } => Failure::new(Kind::Outside, error).hint("wait for the other panel to end"),
            StoreError::Io { .. } | StoreError::Lost { .. } => Failure::new(Kind::Outside, error),
        }
    }
}
