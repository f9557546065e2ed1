// What must hold in a real browser; each check says what it is about and lists what is wrong.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import * as inside from "./page.mjs";

const WIDTHS = [1280, 390];
const SCHEMES = ["light", "dark"];
// Enough for every page here; a page with more places to stop at is a fault of its own.
const TABS_MAX = 4000;
// For what comes after the call that caused it; long, because the machine may be busy.
const PATIENCE_MS = 10_000;

export class Checks {
  passed = 0;
  failed = 0;

  // Runs a group of checks; an exception is a check that failed, and the other groups go on.
  async run(name, work) {
    try {
      await work();
    } catch (error) {
      this.check(`${name} runs to its end`, `${error.stack ?? error}`.split("\n"));
    }
  }

  check(name, wrong) {
    if (wrong.length === 0) this.passed += 1;
    else this.failed += 1;
    console.log(`${wrong.length === 0 ? "ok  " : "FAIL"} ${name}`);
    wrong.slice(0, 12).forEach((line) => console.log(`       ${line}`));
  }
}

// Opens a page that must stay silent: no error, no message, no request but the ones for itself.
async function open(browser, url, width, scheme, more = {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, ...more });
  const page = await context.newPage();
  const wrong = [];
  page.on("console", (message) => wrong.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const isOwn = request.isNavigationRequest() || request.url().startsWith("data:");
    if (!isOwn) wrong.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  return { page, wrong, close: () => context.close() };
}

const unfold = (page) => page.evaluate(() => document.querySelectorAll("details").forEach((part) => (part.open = true)));

// One page at both widths and in both schemes: folded for people, unfolded for machines.
export async function looks(checks, browser, axe, name, url, shots) {
  mkdirSync(shots, { recursive: true });
  for (const width of WIDTHS) {
    for (const scheme of SCHEMES) {
      const at = `${name} at ${width} pixels, ${scheme}`;
      const { page, wrong, close } = await open(browser, url, width, scheme);
      await page.screenshot({ path: join(shots, `${name}-${width}-${scheme}.png`), fullPage: true });
      checks.check(`${at}: folded, nothing overlaps`, await page.evaluate(inside.layout));
      await unfold(page);
      checks.check(`${at}: unfolded, nothing overlaps`, await page.evaluate(inside.layout));
      if (name === "report") {
        checks.check(`${at}: charts are drawn and their texts keep apart`, await page.evaluate(inside.charts));
        await page.locator("#questions details.question").first().screenshot({ path: join(shots, `question-${width}-${scheme}.png`) });
      }
      checks.check(`${at}: nothing of an answer became markup`, await page.evaluate(inside.injected));
      await page.evaluate(axe);
      const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
      const grave = found.violations.filter((violation) => ["serious", "critical"].includes(violation.impact));
      checks.check(`${at}: axe-core finds nothing serious`, grave.map((one) => `${one.id} (${one.nodes.length}): ${one.nodes[0].html.slice(0, 160)}`));
      checks.check(`${at}: no message, no error, no request`, wrong);
      await close();
    }
  }
}

// Every column of every table both ways by keyboard: the better end first, missing values last, equal ones as written.
export async function sorting(checks, browser, name, url) {
  const { page, wrong, close } = await open(browser, url, 1280, "light");
  const tables = await page.evaluate(() => [...document.querySelectorAll(".results-table")].map((table) => [table.id, table.tHead.rows[0].cells.length]));
  if (tables.length === 0) wrong.push("there is no table");
  for (const [id, columns] of tables) {
    const written = (await page.evaluate(inside.column, [id, 0])).rows;
    for (let index = 0; index < columns; index += 1) {
      const button = page.locator(`#${id} thead th:nth-child(${index + 1}) button`);
      const directions = [];
      for (let turn = 0; turn < 2; turn += 1) {
        await button.focus();
        await page.keyboard.press("Enter");
        const now = await page.evaluate(inside.column, [id, index]);
        directions.push(now.sorted[index]);
        wrong.push(...order(now, written).map((line) => `${id}, column ${index + 1}: ${line}`));
        if (now.sorted.filter(Boolean).length !== 1) wrong.push(`${id}: several columns say that they sort`);
        if (turn === 0 && now.sorted[index] !== (now.better === "higher" ? "descending" : "ascending")) {
          wrong.push(`${id}, column ${index + 1}: began ${now.sorted[index]}, better is ${now.better}`);
        }
      }
      if (directions[0] === directions[1]) wrong.push(`${id}, column ${index + 1}: the second click did not turn it`);
    }
  }
  checks.check(`${name}: ${tables.length} tables sort every column both ways, missing values last`, wrong);
  await close();
}

function order({ type, values, sorted, rows }, written) {
  const wrong = [];
  const direction = sorted.find(Boolean) === "descending" ? -1 : 1;
  const collator = new Intl.Collator("en", { sensitivity: "base" });
  for (let index = 1; index < values.length; index += 1) {
    const [one, other] = [values[index - 1], values[index]];
    if (one === "" && other !== "") wrong.push(`a missing value stands before \`${other}\``);
    if (one === "" || other === "") continue;
    const compared = direction * (type === "number" ? Number(one) - Number(other) : collator.compare(one, other));
    if (!(compared <= 0)) wrong.push(`\`${one}\` stands before \`${other}\``);
    if (compared === 0 && written.indexOf(rows[index - 1]) > written.indexOf(rows[index])) wrong.push(`equal rows \`${one}\` changed places`);
  }
  return wrong;
}

// Filters join, say how many rows are left, survive sorting, and go with the order when they are reset.
export async function filtering(checks, browser, name, url, id, keys) {
  const { page, wrong, close } = await open(browser, url, 1280, "light");
  const written = await page.evaluate(inside.column, [id, 0]);
  const group = page.locator(`.scroll:has(> #${id})`).locator("xpath=preceding-sibling::div[@role='group'][1]");
  const first = await page.evaluate(([id, keys]) => {
    const row = document.getElementById(id).tBodies[0].rows[0];
    return Object.fromEntries(keys.map((key) => [key, row.getAttribute(`data-filter-${key}`)]));
  }, [id, keys]);
  const wanted = {};
  for (const key of keys) {
    const select = group.locator(`select[data-key="${key}"]`);
    const values = await select.locator("option").evaluateAll((options) => options.map((option) => option.value).filter(Boolean));
    if (JSON.stringify(values) !== JSON.stringify([...values].sort())) wrong.push(`the choices of ${key} are not sorted`);
    wanted[key] = first[key];
    await select.focus();
    for (let press = 0; press <= values.indexOf(first[key]); press += 1) await page.keyboard.press("ArrowDown");
    const [shown, expected] = await page.evaluate(([id, wanted]) => {
      const rows = [...document.getElementById(id).tBodies[0].rows];
      const fits = (row) => Object.entries(wanted).every(([key, value]) => row.getAttribute(`data-filter-${key}`) === value);
      return [rows.filter((row) => row.getClientRects().length > 0).length, rows.filter(fits).length];
    }, [id, wanted]);
    if (shown !== expected || shown === 0 || shown === written.rows.length) wrong.push(`${JSON.stringify(wanted)}: ${shown} shown, ${expected} expected`);
    const said = await group.locator("[role=status]").textContent();
    if (said !== `${shown} of ${written.rows.length} rows`) wrong.push(`it says \`${said}\``);
  }
  const before = (await page.evaluate(inside.column, [id, 1])).shown;
  await page.locator(`#${id} thead th:nth-child(2) button`).click();
  if ((await page.evaluate(inside.column, [id, 1])).shown !== before) wrong.push("sorting changed what is shown");
  await group.locator("button").focus();
  await page.keyboard.press("Enter");
  const after = await page.evaluate(inside.column, [id, 0]);
  if (after.shown !== written.shown || after.rows.join() !== written.rows.join()) wrong.push("reset does not give the written table");
  if (after.sorted.some(Boolean)) wrong.push("reset left a column that says it sorts");
  checks.check(`${name}: filters of \`${id}\` work by keyboard`, wrong);
  await close();
}

// Tab alone comes to everything that can be used, each place is seen to have the focus, and a heat map leads to its answers.
export async function keyboard(checks, browser, name, url) {
  const { page, wrong, close } = await open(browser, url, 1280, "light");
  const expected = await page.evaluate(() => {
    const all = [...document.querySelectorAll("a[href], button, select, textarea, summary, [tabindex='0']")];
    const usable = all.filter((element) => element.checkVisibility());
    usable.forEach((element, index) => (element.dataset.stop = String(index)));
    return usable.length;
  });
  const reached = new Set();
  const unseen = new Set();
  for (let count = 0; count < TABS_MAX && reached.size < expected; count += 1) {
    await page.keyboard.press("Tab");
    const [stop, isSeen, what] = await page.evaluate(() => {
      const element = document.activeElement;
      return [element.dataset?.stop, getComputedStyle(element).outlineStyle !== "none", element.outerHTML.slice(0, 80)];
    });
    if (stop === undefined) break;
    reached.add(stop);
    if (!isSeen) unseen.add(what);
  }
  if (reached.size !== expected || expected === 0) wrong.push(`${reached.size} of ${expected} places were reached`);
  unseen.forEach((what) => wrong.push(`no outline: ${what}`));
  checks.check(`${name}: keyboard alone reaches all ${expected} places and shows where it is`, wrong);
  await close();
}

export async function following(checks, browser, url) {
  const { page, wrong, close } = await open(browser, url, 1280, "light");
  const link = page.locator("#questions svg a").first();
  const target = (await link.getAttribute("href")).slice(1);
  await link.focus();
  await page.keyboard.press("Enter");
  const isOpen = (id) => page.waitForFunction((id) => document.getElementById(id).closest("details").open, id, { timeout: PATIENCE_MS });
  await isOpen(target).catch(() => wrong.push("the question stayed folded"));
  const query = page.locator("figcaption a").first();
  const text = (await query.getAttribute("href")).slice(1);
  await query.focus();
  await page.keyboard.press("Enter");
  await isOpen(text).catch(() => wrong.push("the statement stayed folded"));
  checks.check("report: a heat map leads to its answers, a chart to its statement", wrong);
  await close();
}

// Without script everything is there; with an answer's script in it, nothing of it runs, and nothing is loaded: the
// browser itself reports each of the three attempts as stopped by the policy of the page.
export async function policy(checks, browser, url) {
  const silent = await open(browser, url, 1280, "light", { javaScriptEnabled: false });
  const rows = await silent.page.locator("#places tbody tr").count();
  checks.check("report: complete without script", rows > 10 ? silent.wrong : [`${rows} rows`]);
  await silent.close();
  const { page, close } = await open(browser, url, 1280, "light");
  const wrong = await page.evaluate(async (patience_ms) => {
    const stopped = [];
    document.addEventListener("securitypolicyviolation", (event) => stopped.push(event.effectiveDirective));
    const script = document.createElement("script");
    script.textContent = "globalThis.ran = true";
    document.body.append(script);
    new Image().src = "https://127.0.0.1:9/none.png";
    const fetched = await fetch("https://127.0.0.1:9/none.json").then(() => ["something was fetched"], () => []);
    const wanted = ["connect-src", "img-src", "script-src-elem"];
    const deadline = performance.now() + patience_ms;
    while (stopped.length < wanted.length && performance.now() < deadline) await new Promise((next) => setTimeout(next, 20));
    const found = stopped.sort().join();
    return [
      ...fetched,
      ...(globalThis.ran === true ? ["an inline script ran"] : []),
      ...(found === wanted.join() ? [] : [`the policy stopped \`${found}\`, expected \`${wanted.join()}\``]),
    ];
  }, PATIENCE_MS);
  checks.check("report: the policy stops inline scripts and loads", wrong);
  await close();
}

// The console takes a statement by keyboard and shows numbers, nulls, refusals and hostile text as they are.
export async function consoleWorks(checks, browser, address) {
  const { page, wrong, close } = await open(browser, `${address}/sql`, 1280, "light");
  const run = async (statement) => {
    await page.locator("#statement").fill(statement);
    await page.locator("#statement").press("Tab");
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  };
  await run("select count(*) as cells_n from cells where run_id = 'hostile'");
  if ((await page.locator("#answer tbody td").allTextContents()).join() !== "36") wrong.push("the count is not 36");
  await run("select answer from cells where run_id = 'hostile' and status = 'ok' limit 1");
  wrong.push(...(await page.evaluate(inside.injected)));
  await run("drop table store.cell");
  if ((await page.locator("[role=alert]").count()) !== 1) wrong.push("a drop was not refused");
  checks.check("view: the console answers and refuses", wrong);
  await close();
}
