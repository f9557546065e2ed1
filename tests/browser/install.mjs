// The browser and its driver, once per lock file, in a cache outside the checkout.
//
// A folder is complete when its mark, written last, holds the hash of the lock file; anything else is made anew.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const FILES = ["package.json", "package-lock.json"];

// The folder whose node_modules hold what package.json names.
export function install(cache, here) {
  const wanted = createHash("sha256").update(readFileSync(join(here, "package-lock.json"))).digest("hex");
  const folder = join(cache, "peers", `browser-${wanted.slice(0, 12)}`);
  const mark = join(folder, "complete");
  if (existsSync(mark) && readFileSync(mark, "utf8") === wanted) {
    console.error("browser           cached");
    return folder;
  }
  console.error("browser           installing");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  FILES.forEach((file) => copyFileSync(join(here, file), join(folder, file)));
  const done = spawnSync("npm", ["ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    timeout: 600_000,
  });
  if (done.status !== 0) throw new Error(`npm could not install the browser (exit code ${done.status})`);
  writeFileSync(mark, wanted);
  return folder;
}

// Starts the browser; its parts are unpacked below the cache, not into the common temporary folder.
export async function start(folder) {
  const find = createRequire(join(folder, "package.json"));
  process.env.TMPDIR = folder;
  const { default: chromium } = await import(pathToFileURL(find.resolve("@sparticuz/chromium")).href);
  const { chromium: driver } = find("playwright-core");
  chromium.setGraphicsMode = false;
  const browser = await driver.launch({
    executablePath: await chromium.executablePath(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  return { browser, axe: readFileSync(find.resolve("axe-core/axe.min.js"), "utf8") };
}
