//! Vectors TV-79 to TV-89: the part of a document that a blurb is written from.

use crate::gateway_models::shared::vectors;
use ragsql::gateway::contextual::{ChunkOf, Document, contextual_text, document_text, request};
use std::fs;

/// A text of so many characters, no two of which are equal.
fn distinct(length: usize) -> String {
    (0..).filter_map(|code| char::from_u32(0x4e00 + code)).take(length).collect()
}

fn part(text: &str, start: usize, length: usize) -> String {
    text.chars().skip(start).take(length).collect()
}

fn window(document: &str, chunk: &str) -> String {
    Document::new(document.to_owned(), false).window(chunk).to_owned()
}

/// Vector, document length, where the chunk is, its length, where the window starts, its length.
type Known = (&'static str, usize, Option<usize>, usize, usize, usize);

#[test]
fn windows_are_those_of_the_vectors() {
    let known: [Known; 9] = [
        ("TV-79", 6000, Some(100), 100, 0, 6000),
        ("TV-80", 6001, Some(0), 10, 0, 6000),
        ("TV-81", 18_000, Some(9000), 16, 6008, 6000),
        ("TV-82", 18_000, Some(9000), 101, 6051, 6000),
        ("TV-83", 18_000, Some(1200), 100, 0, 6000),
        ("TV-84", 18_000, Some(17_900), 100, 14_950, 3050),
        ("TV-85, empty", 18_000, Some(0), 0, 0, 6000),
        ("TV-86", 18_000, Some(6000), 6000, 6000, 6000),
        ("TV-86, longer", 18_000, Some(6000), 7000, 6000, 6000),
    ];
    let mut cases: Vec<(String, usize, Option<usize>, usize, usize, usize)> =
        known.iter().map(|(name, a, b, c, d, e)| ((*name).to_owned(), *a, *b, *c, *d, *e)).collect();
    for row in vectors("window").iter().flat_map(|rows| rows.as_array().unwrap().clone()) {
        if row["case"] == "multibyte (code points)" {
            continue;
        }
        let number = |key: &str| row[key].as_u64().map(|value| value as usize);
        cases.push((
            row["case"].as_str().unwrap().to_owned(),
            number("doc_len").unwrap(),
            number("first"),
            number("chunk_len").unwrap(),
            number("start").unwrap(),
            number("len").unwrap(),
        ));
    }
    for (name, document_length, at, length, start, window_length) in cases {
        let document = distinct(document_length);
        let chunk = at.map_or_else(|| "a".repeat(length), |at| part(&document, at, length));
        assert_eq!(window(&document, &chunk), part(&document, start, window_length), "{name}");
    }
    let document = distinct(18_000);
    assert_eq!(window(&document, "abc"), part(&document, 0, 6000), "TV-85, absent");
}

#[test]
fn windows_are_counted_in_code_points() {
    let side = "\u{e9}".repeat(7000);
    let document = format!("{side}KEY{side}");
    let found = window(&document, "KEY");
    assert_eq!(found, part(&document, 4002, 6000), "TV-87");
    assert_eq!(found.chars().take_while(|character| *character != 'K').count(), 2998);
}

#[test]
fn documents_are_files_inside_the_root_or_else_their_chunks() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("corpus");
    fs::create_dir_all(root.join("d")).unwrap();
    fs::write(root.join("d/a.MD"), "full A").unwrap();
    fs::write(root.join("d/b.pdf"), "never read").unwrap();
    fs::write(root.join("d/odd.txt"), b"\xef\xbb\xbfa\xff\r\nb\rc").unwrap();
    fs::write(folder.path().join("x.md"), "outside").unwrap();
    assert_eq!(document_text(&root, "../x.md", &["x0"]), "x0");
    assert_eq!(document_text(&root, "d/a.MD", &["a0"]), "full A");
    assert_eq!(document_text(&root, "d/b.pdf", &["b0", "b1"]), "b0\n\nb1");
    assert_eq!(document_text(&root, "d/gone.md", &["g0"]), "g0");
    assert_eq!(document_text(&root, "d/odd.txt", &["o"]), "a\u{fffd}\nb\nc");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path().join("x.md"), root.join("d/link.md")).unwrap();
        assert_eq!(document_text(&root, "d/link.md", &["l0"]), "l0", "links are followed before the place is judged");
    }
}

#[test]
fn texts_are_those_of_the_contextual_vectors() {
    let known = [("B(x0)", "x0", "B(x0)\n\nx0"), ("", "b1", "\n\nb1"), ("  hi \n", "c", "hi\n\nc")];
    for (blurb, chunk, text) in known {
        assert_eq!(contextual_text(blurb, chunk), text, "TV-88, TV-89");
    }
    for row in vectors("contextual_ingest").iter().flat_map(|vectors| vectors["rows"].as_array().unwrap().clone()) {
        let text = row["text"].as_str().unwrap();
        let (blurb, chunk) = text.split_once("\n\n").unwrap();
        assert_eq!(contextual_text(&format!(" {blurb}\n"), chunk), text);
    }
}

#[test]
fn a_request_names_headings_and_position() {
    let document = Document::new("# Lock\n\nIntro.\n\n## Gates\n\nTwo gates.\n".to_owned(), true);
    let made = request(&document, ChunkOf { title: "h/lock.md", text: "Two gates.", index: 1, chunks_n: 2 });
    assert_eq!(made.headings, ["Lock", "Gates"]);
    assert_eq!((made.position, made.chunks_n, made.title.as_str()), (2, 2, "h/lock.md"));
    assert!(made.window.starts_with("# Lock"));
    let plain = Document::new("# Lock\n\nIntro.".to_owned(), false);
    assert!(request(&plain, ChunkOf { title: "h/l.txt", text: "Intro.", index: 0, chunks_n: 1 }).headings.is_empty());
}
