//! Cases of the agent with tools and of routing by the class of a question, ours and a webhook's.

mod agent_loop;
mod built_in_agent;
mod routing;
mod support;
mod webhook;
