// The HTML pages in a real browser: `make test-browser`.
//
// Installs a pinned browser into the cache, makes a project with the built binary, opens its pages from files and from
// `ragsql view`, and ends only what it started. Screenshots are kept. `N passed, N failed` comes last; the exit code is 0
// when all passed, 1 when a check failed or broke down, 2 for wrong options, 3 when the browser or the project could not be
// made. Nothing is skipped.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { Checks, consoleWorks, filtering, following, keyboard, looks, policy, sorting } from "./checks.mjs";
import { install, start } from "./install.mjs";
import { make, view } from "./project.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({ options: { binary: { type: "string" }, cache: { type: "string" }, shots: { type: "string" } } });
const missing = ["binary", "cache", "shots"].filter((name) => values[name] === undefined);
if (missing.length > 0) {
  console.error(`error: --${missing[0]} is missing`);
  process.exit(2);
}
const { binary, cache, shots } = Object.fromEntries(Object.entries(values).map(([name, path]) => [name, resolve(path)]));

const work = mkdtempSync(join(tmpdir(), "ragsql-browser-"));
try {
  await withBrowser();
} catch (error) {
  console.error(`error: ${error.stack ?? error}`);
  process.exitCode = 3;
} finally {
  rmSync(work, { recursive: true, force: true });
}

// Each part is ended by the one who started it, whatever happens to the others.
async function withBrowser() {
  const made = make(work, join(here, "../.."), binary);
  const { browser, axe } = await start(install(cache, here));
  try {
    const served = await view(work, binary);
    try {
      process.exitCode = await checked(made, browser, axe, served.address);
    } finally {
      served.stop();
    }
  } finally {
    await browser.close();
  }
}

// Runs every check; 0 when all passed, 1 when one failed or broke down.
async function checked(made, browser, axe, address) {
  const checks = new Checks();
  const pages = {
    report: pathToFileURL(made.report).href,
    leaderboards: pathToFileURL(made.leaderboards).href,
    home: `${address}/`,
    console: `${address}/sql?statement=from+cells+limit+3`,
  };
  for (const [name, url] of Object.entries(pages)) await checks.run(`looks of ${name}`, () => looks(checks, browser, axe, name, url, shots));
  for (const name of ["report", "leaderboards", "home"]) await checks.run(`sorting of ${name}`, () => sorting(checks, browser, name, pages[name]));
  await checks.run("filters of report", () => filtering(checks, browser, "report", pages.report, "places", ["dataset", "approach", "metric"]));
  await checks.run("filters of leaderboards", () => filtering(checks, browser, "leaderboards", pages.leaderboards, "base-by-dataset", ["approach"]));
  for (const [name, url] of Object.entries(pages)) await checks.run(`keyboard in ${name}`, () => keyboard(checks, browser, name, url));
  await checks.run("following", () => following(checks, browser, pages.report));
  await checks.run("policy of a file", () => policy(checks, browser, pages.report));
  await checks.run("policy of a served page", () => policy(checks, browser, `${address}/report`));
  await checks.run("console", () => consoleWorks(checks, browser, address));
  console.log(`screenshots       ${shots}`);
  console.log(`${checks.passed} passed, ${checks.failed} failed`);
  return checks.failed === 0 && checks.passed > 0 ? 0 : 1;
}
