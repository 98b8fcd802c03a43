/**
 * How long a page of the console takes from the click to the frame in which it shows its data, as the marks of the browser tell.
 * The book has 10,000 payments. This is the part `console` of bench/run.mjs. It needs Chromium (`npm run browser`).
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { BROWSER_NEEDED, findChromium } from "../scripts/chromium.mjs";
import { env, folder, here, serve, stop } from "./processes.mjs";

const PAYMENTS = 10_000;

/** Each page: the link to it on the page before, and what it shows once its data is there. */
const VISITS = [
  { name: "charges", link: 'nav.menu a[href="/console/charges"]', shows: "main .state-tabs .count, main tbody tr" },
  { name: "a charge", link: "main tbody a", shows: "main .timeline .t-node, main h1.object-title" },
  {
    name: "overview",
    link: 'nav.menu a[href="/console/"]',
    shows: "main .headline .money, main .overview .lines time",
  },
];

/**
 * In the page: clicks a link once the page has nothing else to do, and returns the milliseconds until everything that `shows`
 * names is on a frame that was drawn. The task behind a frame runs once it is drawn.
 */
const CLICK = ({ link, shows }) => `new Promise((resolve) => {
  const parts = ${JSON.stringify(shows)}.split(", ");
  const watch = new MutationObserver(() => {
    if (!parts.every((part) => document.querySelector(part) !== null)) return;
    watch.disconnect();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        performance.mark("drawn");
        resolve(performance.measure("click to drawn", "clicked", "drawn").duration);
      };
      port2.postMessage(null);
    });
  });
  watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  requestIdleCallback(() => {
    performance.mark("clicked");
    document.querySelector(${JSON.stringify(link)}).click();
  });
})`;

/** Returns `{name, first, times}` for each page: the milliseconds of its first visit, and of those after it. */
export async function consolePages(rounds) {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(BROWSER_NEEDED);
  const file = join(folder, "console.db");
  const seed = [join(here, "seed.mjs"), "--db", file, "--count", String(PAYMENTS)];
  await promisify(execFile)(process.execPath, seed, { env });
  const server = await serve("--db", file);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: "en" });
    await page.goto(server.console_url);
    await page.locator("main .headline .money").first().waitFor();
    const found = VISITS.map(({ name }) => ({ name, times: [] }));
    for (let round = 0; round <= rounds; round++) {
      for (const [at, visit] of VISITS.entries()) found[at].times.push(await page.evaluate(CLICK(visit)));
    }
    return found.map(({ name, times: [first, ...times] }) => ({ name, first, times }));
  } finally {
    await browser.close();
    await stop(server);
  }
}
