//! Cases of the `panel` room.

mod artifact;
mod built_in;
mod canary;
mod envelope;
mod input;
mod load;
mod noise;
mod order;
mod prompt;
mod reply;
mod resume;
mod run;
mod settings;
mod stub;
