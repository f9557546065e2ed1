//! Reasoning that comes inside the content, between `<think>` and `</think>` at its beginning.
//!
//! Pure. It is no part of the answer; a block that never closes leaves no answer.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Splits a content that comes in pieces.
#[derive(Debug, Default)]
pub(super) struct Thought {
    state: State,
    /// What is not decided yet.
    held: String,
    reasoning: String,
}

#[derive(Debug, Default, PartialEq)]
enum State {
    /// The beginning may still turn out to be the opening mark.
    #[default]
    Unknown,
    Inside,
    /// Behind the closing mark: blanks in front of the answer go with the block.
    Behind,
    Answer,
}

impl Thought {
    /// Takes a piece and gives what of the answer is certain by now.
    pub fn push(&mut self, piece: &str) -> String {
        if self.state == State::Answer {
            return piece.to_owned();
        }
        self.held.push_str(piece);
        if self.state == State::Unknown {
            let begun = self.held.trim_start();
            if let Some(rest) = begun.strip_prefix(OPEN) {
                self.held = rest.to_owned();
                self.state = State::Inside;
            } else if !OPEN.starts_with(begun) {
                self.state = State::Answer;
                return std::mem::take(&mut self.held);
            }
        }
        if self.state == State::Inside
            && let Some(end) = self.held.find(CLOSE)
        {
            self.reasoning.push_str(&self.held[..end]);
            self.held = self.held[end + CLOSE.len()..].to_owned();
            self.state = State::Behind;
        }
        if self.state == State::Behind {
            let answer = self.held.trim_start();
            if !answer.is_empty() {
                self.state = State::Answer;
                let answer = answer.to_owned();
                self.held.clear();
                return answer;
            }
        }
        String::new()
    }

    /// Ends the content and gives the rest of the answer.
    pub fn finish(&mut self) -> String {
        let held = std::mem::take(&mut self.held);
        match self.state {
            State::Unknown | State::Answer => held,
            State::Behind => String::new(),
            State::Inside => {
                self.reasoning.push_str(&held);
                String::new()
            }
        }
    }

    /// What stood between the marks.
    pub fn reasoning(&self) -> &str {
        &self.reasoning
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_at_the_beginning_is_split_off_however_it_is_cut() {
        for (content, answer, reasoning) in [
            ("plain", "plain", ""),
            ("", "", ""),
            ("  <b> x", "  <b> x", ""),
            ("<thin", "<thin", ""),
            ("<think>a <b></think>\n\n4 pm", "4 pm", "a <b>"),
            ("\n<think></think>x</think>", "x</think>", ""),
            ("<think>never ends", "", "never ends"),
            ("<think>é</think> \n", "", "é"),
            ("x <think>y</think>", "x <think>y</think>", ""),
        ] {
            for size in 1..=content.chars().count().max(1) {
                let mut thought = Thought::default();
                let characters: Vec<char> = content.chars().collect();
                let mut text = String::new();
                for piece in characters.chunks(size) {
                    text.push_str(&thought.push(&piece.iter().collect::<String>()));
                }
                text.push_str(&thought.finish());
                assert_eq!((text.as_str(), thought.reasoning()), (answer, reasoning), "{content:?} by {size}");
            }
        }
    }
}
