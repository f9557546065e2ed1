// A project with something of everything: two real runs that are published, and evidence that is hostile and full of gaps.

import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const HOSTILE = [
  "<img src=x onerror=\"document.title='owned'\">",
  "a\"onmouseover=\"document.title='owned'",
  "<svg/onload=document.title='owned'>",
  "</script><script>document.title='owned'</script>",
];
const LONG = "a-name-that-somebody-made-far-too-long-for-any-column-of-any-table-or-chart";

export function make(folder, checkout, binary) {
  for (const part of ["compare", "demo", "corpus/subset"]) {
    cpSync(join(checkout, part), join(folder, part), { recursive: true, filter: (path) => !path.includes("compare/results") });
  }
  const ragsql = (...parts) => {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(MATRIX|JUDGE|RAGSQL)_/.test(name)));
    const done = spawnSync(binary, parts, { cwd: folder, env, encoding: "utf8" });
    if (done.status !== 0) throw new Error(`ragsql ${parts.join(" ")} ended with ${done.status}\n${done.stderr}`);
    return done;
  };
  const aliases = [...readFileSync(join(folder, "compare/flavors.yaml"), "utf8").matchAll(/alias: (\S+)/g)].map((found) => found[1]);
  const tiers = [
    ["base", []],
    ["flavors", ["--models", aliases.join(",")]],
  ];
  for (const [run, models] of tiers) {
    ragsql("run", "--dataset", "baseline_curated", "--limit", "3", "--run-id", run, ...models);
    ragsql("judge", "--dataset", "baseline_curated", "--run-id", run);
  }
  publish(folder);
  const results = join(folder, "compare/results");
  writeFileSync(join(results, "hostile.jsonl"), hostileRows().map((row) => `${JSON.stringify(row)}\n`).join(""));
  mkdirSync(join(folder, "docs"), { recursive: true });
  ragsql("report");
  ragsql("report", "--html", "report.html");
  ragsql("report", "evaluation-results", "--html", "leaderboards.html");
  return { report: join(folder, "report.html"), leaderboards: join(folder, "leaderboards.html") };
}

// Makes the runs the published files of the one measured dataset.
function publish(folder) {
  const file = join(folder, "compare/datasets.yaml");
  const kinds = { evaluation: "evaluation.json", judgment: "judgments.json", evidence: ".jsonl" };
  const lines = Object.entries(kinds).flatMap(([kind, end]) =>
    [["", "base"], ["flavor_", "flavors"]].map(
      ([prefix, run]) => `    ${prefix}${kind}_snapshot: compare/results/${run}${end.startsWith(".") ? "" : "-"}${end}\n`,
    ),
  );
  const [first, ...others] = readFileSync(file, "utf8").split(/(?=^ {2}- id:)/m);
  const candidates = others.map((entry, index) => (index ? entry.replace("status: measured", "status: candidate") : entry.trimEnd() + "\n" + lines.join("") + "\n"));
  writeFileSync(file, first + candidates.join(""));
}

function hostileRows() {
  const approaches = ["calm-rag", LONG, ...HOSTILE];
  const rows = [];
  for (const [place, question] of [...HOSTILE, LONG, "plain"].entries()) {
    for (const [index, approach] of approaches.entries()) {
      const state = (place * 7 + index * 3) % 5;
      rows.push(row(question, approach, state, place + index));
    }
  }
  return rows;
}

function row(question, approach, state, number) {
  const isOk = state !== 3;
  return {
    schema_version: 1, runner_version: 1, run_id: "hostile", row_id: `${question}/${approach}`,
    status: isOk ? "ok" : "timeout", error: isOk ? null : { type: "ReadTimeout", message: HOSTILE[0] },
    dataset: { id: HOSTILE[1], label: "Hostile", complexity_level: 5 },
    question: { id: question, query: HOSTILE[2], ground_truth: null },
    approach: { model: approach, base_model: approach, flavor: "default", requires_reingest: false },
    reproducibility: { seed: "s", config_hashes: {}, ingestion: {}, runtime: {} },
    evidence: {
      answer: isOk ? HOSTILE.join("\n") + " word".repeat(2000) : "", transport: isOk ? "structured" : null,
      token_usage: {}, sources: isOk ? [{ title: HOSTILE[0], snippet: HOSTILE[3], score: null }] : [], server_metrics: {},
    },
    metrics: {
      operational: { latency_ms: 40 + 900 * number, attempts: 1 },
      ragas: isOk
        ? { status: "ok", requested: ["faithfulness"], scores: { faithfulness: state === 1 ? null : (number % 10) / 10 } }
        : { status: "not_run", requested: [], scores: {} },
      judge_panel: { status: "pending" },
    },
  };
}

// Long enough for any machine; without it a server that says nothing would keep the tests for ever.
const PATIENCE_MS = 60_000;

// Serves the project; `stop` ends it.
export async function view(folder, binary) {
  const child = spawn(binary, ["view", "--port", "0"], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const lines = createInterface({ input: child.stderr });
  // Its end closes its output, which ends the loop.
  const deadline = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  for await (const line of lines) {
    const found = line.match(/http:\/\/[\d.:]+/);
    if (found) {
      clearTimeout(deadline);
      child.stderr.resume();
      return { address: found[0], stop: () => child.kill("SIGTERM") };
    }
  }
  clearTimeout(deadline);
  throw new Error(`ragsql view ended, or said nothing for ${PATIENCE_MS / 1000} s, before it listened`);
}
