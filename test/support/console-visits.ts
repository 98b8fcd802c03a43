import type { Page } from "playwright-core";
import { expect } from "vitest";

/** From one page of the console to the next without a new document, which takes a third of the work of a load. */

/**
 * In the page: resolves when the page at this path is there with its heading and its data, without a new document. What
 * Preact does after it has drawn comes at most two frames later.
 */
const ARRIVAL = `(pathname) => new Promise((done, fail) => {
  const heading = () => document.querySelector("main article h1");
  const before = heading();
  const text = before?.textContent;
  const isThere = () => {
    const now = heading();
    const isNew = now !== null && (now !== before || now.textContent !== text);
    return location.pathname === pathname && isNew && !/Loading…|Carregando…/.test(document.querySelector("main").textContent);
  };
  const look = () => isThere() && requestAnimationFrame(() => requestAnimationFrame(() => isThere() && end(done)));
  const watcher = new MutationObserver(look);
  const timer = setTimeout(() => end(() => fail(new Error(pathname + " does not come"))), 30_000);
  const end = (how) => {
    watcher.disconnect();
    clearTimeout(timer);
    how();
  };
  watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
})`;

/** Waits for the page at this path, to which `go` leads from another one. */
export async function arrive(page: Page, pathname: string, go: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.evaluate(`(${ARRIVAL})(${JSON.stringify(pathname)})`), go()]);
}

/** Leads to an address as a link to it does, whether or not the page shows one. */
export async function goWithin(page: Page, address: string): Promise<void> {
  const { pathname } = new URL(address, page.url());
  const follow = `(() => {
    const link = Object.assign(document.createElement("a"), { href: ${JSON.stringify(address)} });
    document.body.append(link);
    link.click();
    link.remove();
  })()`;
  await arrive(page, pathname, () => page.evaluate(follow));
}

/**
 * Leads to the page at this path by `g` and its letter. `g` waits a second and a half for the letter: where the machine is too
 * busy for that, both keys are pressed again.
 */
export async function goByKeys(page: Page, letter: string, pathname: string): Promise<void> {
  const heading = page.locator("main h1");
  const isPressed = async () => {
    if (new URL(page.url()).pathname !== pathname) {
      await heading.press("g");
      await heading.press(letter);
    }
    return new URL(page.url()).pathname;
  };
  await expect.poll(isPressed).toBe(pathname);
}
