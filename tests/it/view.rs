//! `ragsql view`: pages, console and refusals over a real socket.

use crate::child::Talking;
use crate::cli::project::Project;
use std::io::{Read, Write};
use std::net::TcpStream;

/// A server of a project; ends with it.
struct Served {
    _child: Talking,
    address: String,
}

impl Served {
    fn start(project: &Project) -> Self {
        let child = Talking::start(project.command(&["view", "--port", "0"]));
        let said = child.says("http://");
        let address = said.split("http://").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
        Self { _child: child, address }
    }

    /// Status line and headers, body.
    fn ask(&self, request: &str, host: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "{request} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }

    fn get(&self, path: &str) -> String {
        let (head, body) = self.ask(&format!("GET {path}"), &self.address);
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}\n{body}");
        body
    }
}

#[test]
fn runs_report_and_console_are_served_and_a_foreign_host_is_not() {
    let project = Project::new();
    let served = Served::start(&project);
    assert!(served.get("/").contains("There is no run yet."));
    assert!(served.ask("GET /report", &served.address).0.starts_with("HTTP/1.1 422 "));
    project.ragsql(&["run"]).ends_with(0);

    let home = served.get("/");
    assert!(home.contains("<a href=\"/report?run=harbour\">harbour</a>") && home.contains("9 (100 %)"), "{home}");
    project.ragsql(&["report", "--html", "r.html", "--run", "harbour"]).ends_with(0);
    assert!(served.get("/report?run=harbour") == project.read("r.html"), "the page served is the page written");

    let answer = served.get("/sql?statement=select+count(*)+as+cells_n,null+as+gap+from+cells");
    assert!(
        answer.contains("<th scope=\"col\">cells_n</th>") && answer.contains("<td class=\"number\">9</td>"),
        "{answer}"
    );
    assert!(answer.contains("<td class=\"null\"><span class=\"quiet\">null</span></td>"));
    let hostile = served.get("/sql?statement=select+%27%3Cscript%3E%27+as+%22%3Cb%3E%22");
    assert!(hostile.contains("<td class=\"text\">&lt;script&gt;</td>") && hostile.contains(">&lt;b&gt;</th>"));
    for statement in [
        "drop+table+store.cell",
        "copy+cells+to+%27x.csv%27",
        "from+read_csv(%27/etc/passwd%27)",
        "set+threads=9",
        "select+statu+from+cells",
        "select+$x",
        "select+len(list(repeat(%27x%27,1000)||range))+from+range(1500000)",
    ] {
        let refused = served.get(&format!("/sql?statement={statement}"));
        assert!(refused.contains("role=\"alert\"") && !refused.contains("<table id=\"answer\">"), "{refused}");
        let flags = ["--unsafe", "--param", "--output", "ragsql export"];
        assert!(!flags.iter().any(|flag| refused.contains(flag)), "a page has no flags: {refused}");
    }
    assert!(served.get("/sql?statement=select+$x").contains("write the value in its place"));
    assert!(served.get("/sql?statement=from+range(10001)").contains("10000 rows; more were left out"));

    let port = served.address.split(':').nth(1).unwrap().to_owned();
    for host in ["evil.example".to_owned(), format!("evil.example:{port}"), String::new()] {
        let (head, body) = served.ask("GET /", &host);
        assert!(head.starts_with("HTTP/1.1 4") && !body.contains("harbour"), "{host}: {head}");
    }
    let (head, _) = served.ask("GET /", &format!("localhost:{port}"));
    for header in ["cache-control: no-store", "x-content-type-options: nosniff", "x-frame-options: DENY"] {
        assert!(head.contains(header), "{head}");
    }
    assert!(served.ask("POST /sql", &served.address).0.starts_with("HTTP/1.1 405 "));
    assert!(served.ask("GET /etc/passwd", &served.address).0.starts_with("HTTP/1.1 404 "));
}

#[test]
fn the_console_keeps_no_more_of_an_answer_than_it_shows() {
    let project = Project::new();
    project.ragsql(&["run"]).ends_with(0);
    let served = Served::start(&project);
    let long = served.get("/sql?statement=select+repeat(%27x%27,300000)+as+t+from+range(10)");
    assert!(long.contains("10 rows") && long.contains("(cut)") && !long.contains(&"x".repeat(2001)), "{}", long.len());
    let much = served.get("/sql?statement=select+repeat(%27x%27,2000)+as+t+from+range(10000)");
    assert!(much.contains("; more were left out") && much.len() < 32 << 20, "{} bytes", much.len());
    let endless = served.get("/sql?statement=select+%27infinity%27::timestamp+as+t,date+%27-infinity%27+as+d");
    assert!(endless.contains(">infinity</td>") && endless.contains(">-infinity</td>"), "{endless}");
    let far = served.get("/sql?statement=select+date+%275000000-01-01%27+as+d");
    assert!(far.contains("role=\"alert\"") && far.contains("cast(... as varchar)"), "{far}");
}

#[test]
fn the_first_page_stands_even_when_what_is_published_fails_its_checks() {
    let project = Project::new();
    project.ragsql(&["run"]).ends_with(0);
    let catalogue = project.read("compare/datasets.yaml");
    let entry = catalogue.replace("  - id: harbour\n", "  - id: harbour\n    evaluation_snapshot: results/none.json\n");
    assert!(entry != catalogue, "{catalogue}");
    project.write("compare/datasets.yaml", &entry);
    let served = Served::start(&project);
    assert!(served.ask("GET /published", &served.address).0.starts_with("HTTP/1.1 422 "));
    let home = served.get("/");
    assert!(home.contains("<a href=\"/published\">") && home.contains("harbour"), "{home}");
}

#[test]
fn results_are_shown_while_a_run_writes_the_warehouse() {
    let project = Project::new();
    project.ragsql(&["run"]).ends_with(0);
    let served = Served::start(&project);
    let database = project.path("compare/results/warehouse.duckdb");
    let held = ragsql::warehouse::Warehouse::open(&database, &crate::pages::tree::CATALOGUE).unwrap();
    assert!(served.get("/").contains("harbour"));
    assert!(
        served
            .get("/sql?statement=select+count(*)+from+cells")
            .contains("these answers come from the 1 evidence files themselves")
    );
    drop(held);
    assert!(!served.get("/sql?statement=select+1").contains("evidence files themselves"));
}
