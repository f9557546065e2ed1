// The HTML pages in a real browser: `make test-browser`.
//
// Installs a pinned browser into the cache, makes a project with the built binary, opens its pages from files and from
// `ragsql view`, and ends only what it started. Screenshots are kept. `N passed, N failed` comes last; the exit code is 0
// when all passed, 1 when a check failed, 3 when the browser or the project could not be made. Nothing is skipped.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { Checks, consoleWorks, filtering, following, keyboard, looks, policy, sorting } from "./checks.mjs";
import { install, start } from "./install.mjs";
import { make, view } from "./project.mjs";

const { values } = parseArgs({ options: { binary: { type: "string" }, cache: { type: "string" }, shots: { type: "string" } } });
const here = dirname(fileURLToPath(import.meta.url));
const work = mkdtempSync(join(tmpdir(), "ragsql-browser-"));
const shots = resolve(values.shots);
let browser;
let served;
try {
  const binary = resolve(values.binary);
  const made = make(work, join(here, "../.."), binary);
  const started = await start(install(resolve(values.cache), here));
  browser = started.browser;
  served = await view(work, binary);
  const checks = new Checks();
  const pages = {
    report: pathToFileURL(made.report).href,
    leaderboards: pathToFileURL(made.leaderboards).href,
    home: `${served.address}/`,
    console: `${served.address}/sql?statement=from+cells+limit+3`,
  };
  for (const [name, url] of Object.entries(pages)) await looks(checks, browser, started.axe, name, url, shots);
  for (const name of ["report", "leaderboards", "home"]) await sorting(checks, browser, name, pages[name]);
  await filtering(checks, browser, "report", pages.report, "places", ["dataset", "approach", "metric"]);
  await filtering(checks, browser, "leaderboards", pages.leaderboards, "base-by-dataset", ["approach"]);
  for (const [name, url] of Object.entries(pages)) await keyboard(checks, browser, name, url);
  await following(checks, browser, pages.report);
  await policy(checks, browser, pages.report);
  await policy(checks, browser, `${served.address}/report`);
  await consoleWorks(checks, browser, served.address);
  console.log(`screenshots       ${shots}`);
  console.log(`${checks.passed} passed, ${checks.failed} failed`);
  process.exitCode = checks.failed === 0 ? 0 : 1;
} catch (error) {
  console.error(`error: ${error.stack ?? error}`);
  process.exitCode = 3;
} finally {
  await browser?.close();
  served?.stop();
  rmSync(work, { recursive: true, force: true });
}
