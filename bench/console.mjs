/**
 * How long a page of the console takes from the click to the frame in which it shows its data, by the marks of the browser.
 * The book has 10,000 payments. It needs Chromium (`npm run browser`).
 */
import { join } from "node:path";
import { chromium } from "playwright-core";
import { BROWSER_NEEDED, findChromium } from "../scripts/chromium.mjs";
import { folder, seed, serve, stop } from "./processes.mjs";
import { formatValues, median } from "./rows.mjs";

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

/** A person takes less than a tenth of a second for at once. There is no floor. The first visit to each page does not count. */
export async function* consolePages({ quick }) {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(BROWSER_NEEDED);
  const file = join(folder, "console.db");
  await seed(file, PAYMENTS);
  const server = await serve("--db", file);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: "en" });
    await page.goto(server.console_url);
    await page.locator("main .headline .money").first().waitFor();
    const times = VISITS.map(() => []);
    for (let round = 0; round <= (quick ? 5 : 50); round++) {
      for (const [at, visit] of VISITS.entries()) {
        const took = await page.evaluate(CLICK(visit));
        if (round > 0) times[at].push(took);
      }
    }
    for (const [at, { name }] of VISITS.entries()) {
      const isReached = median(times[at]) <= 100;
      yield {
        name: `console, click to drawn: ${name}`,
        ours: formatValues(times[at], "ms"),
        target: "≤ 100 ms",
        isReached,
      };
    }
  } finally {
    await browser.close();
    await stop(server);
  }
}
