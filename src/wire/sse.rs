//! Server-sent events: from bytes, cut anywhere, to the data of events.
//!
//! Pure. Source: the event stream format of the HTML standard, section 9.2; event names, ids and retry times are not
//! used by chat streams and are dropped.

/// Decodes one stream. A piece of the input may end inside a character, a line or an event.
#[derive(Debug, Default)]
pub struct SseDecoder {
    line: Vec<u8>,
    data: Option<Vec<u8>>,
    /// The last byte was a carriage return: a line feed right behind it belongs to the same line end.
    after_return: bool,
    begun: bool,
}

/// The data of one event. Bytes that are not UTF-8 have become U+FFFD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Lines of data, joined by line feeds.
    pub data: String,
    /// Whether bytes were replaced.
    pub lossy: bool,
}

impl SseDecoder {
    /// Takes the next bytes and gives the events that they complete.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        for byte in bytes {
            match byte {
                b'\n' if self.after_return => self.after_return = false,
                b'\n' | b'\r' => {
                    self.after_return = *byte == b'\r';
                    events.extend(self.end_line());
                }
                _ => {
                    self.after_return = false;
                    self.line.push(*byte);
                }
            }
        }
        events
    }

    /// Ends the stream: the event that no blank line has closed. The standard drops it; servers that break off after
    /// the last line mean it.
    pub fn finish(&mut self) -> Option<Event> {
        if self.line.is_empty() {
            return self.dispatch();
        }
        self.end_line();
        self.dispatch()
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let line = if self.begun { line.as_slice() } else { line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&line) };
        self.begun = true;
        if line.is_empty() {
            return self.dispatch();
        }
        // A line that begins with a colon is a comment; it has an empty field name.
        let (field, value) = match line.iter().position(|byte| *byte == b':') {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &[][..]),
        };
        if field == b"data" {
            let value = value.strip_prefix(b" ").unwrap_or(value);
            match &mut self.data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                None => self.data = Some(value.to_vec()),
            }
        }
        None
    }

    fn dispatch(&mut self) -> Option<Event> {
        let data = self.data.take()?;
        Some(match String::from_utf8(data) {
            Ok(data) => Event { data, lossy: false },
            Err(error) => Event { data: String::from_utf8_lossy(error.as_bytes()).into_owned(), lossy: true },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(pieces: &[&[u8]]) -> Vec<String> {
        let mut decoder = SseDecoder::default();
        let mut events: Vec<Event> = pieces.iter().flat_map(|piece| decoder.push(piece)).collect();
        events.extend(decoder.finish());
        events.into_iter().map(|event| event.data).collect()
    }

    const STREAM: &str =
        "\u{feff}: hello\r\n\r\nevent: x\ndata: {\"a\":\ndata:1}\n\n:\n\ndata: 수영장\r\rdata\n\nid: 7\n\ndata: [DONE]";

    #[test]
    fn comments_fields_and_all_line_ends_are_read() {
        assert_eq!(all(&[STREAM.as_bytes()]), ["{\"a\":\n1}", "수영장", "", "[DONE]"]);
    }

    #[test]
    fn cutting_between_any_two_bytes_changes_nothing() {
        let whole = all(&[STREAM.as_bytes()]);
        let single: Vec<&[u8]> = STREAM.as_bytes().chunks(1).collect();
        assert_eq!(all(&single), whole);
        for cut in 0..STREAM.len() {
            let (left, right) = STREAM.as_bytes().split_at(cut);
            assert_eq!(all(&[left, right]), whole, "cut at {cut}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_marked() {
        let events = SseDecoder::default().push(b"data: a\xffb\n\n");
        assert_eq!(events, [Event { data: "a\u{fffd}b".to_owned(), lossy: true }]);
    }
}
