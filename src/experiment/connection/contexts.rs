//! Where an answer holds its contexts: a list of JSON pointers (RFC 6901).

use super::super::document::Node;
use super::super::fields::Check;
use super::super::problem::quoted;

/// Where services that have no extension put what they retrieved; looked at in this order.
pub const DEFAULT_CONTEXTS: [&str; 13] = [
    "/sources",
    "/contexts",
    "/source_documents",
    "/source_nodes",
    "/retrieved_contexts",
    "/choices/0/message/sources",
    "/choices/0/message/contexts",
    "/choices/0/message/context/citations",
    "/choices/0/message/provider_specific_fields/sources",
    "/choices/0/message/provider_specific_fields/contexts",
    "/choices/0/message/provider_specific_fields/citations",
    "/choices/0/message/citations",
    "/citations",
];

/// Reads a list of pointers; the slash in front may be left out. An empty list looks nowhere.
pub(super) fn read(check: &mut Check, node: &Node, name: &str) -> Option<Vec<String>> {
    let mut pointers = Vec::new();
    for node in check.list(node, name)? {
        let text = check.text(node, "a pointer")?;
        let pointer = if text.starts_with('/') { text.clone() } else { format!("/{text}") };
        if !is_pointer(&pointer) {
            let hint = "names and positions between slashes, for instance `choices/0/message/sources`".to_owned();
            check.refuse(node.place, format!("{} is not a JSON pointer", quoted(&text)), hint);
            return None;
        }
        if pointers.contains(&pointer) {
            check.refuse(node.place, format!("the pointer {} is listed twice", quoted(&text)), None);
            return None;
        }
        pointers.push(pointer);
    }
    Some(pointers)
}

/// In a pointer `~` is an escape and stands before 0 or 1; a path with `$` or brackets is another notation.
fn is_pointer(text: &str) -> bool {
    let escapes = text.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    escapes && !text.contains(['[', ']', '$']) && !text.contains("//") && text.len() > 1
}
