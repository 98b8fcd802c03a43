import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/**
 * One browser for all test files of a worker, and windows that are used again. A new window starts a process and reads
 * all scripts anew, which takes five times as much of a processor as another page in a window that is there.
 */

/**
 * Parts of the browser that are off. Of two such lists the browser takes the last, so that this one repeats what Playwright
 * switches off and a test here can meet.
 */
const OFF = [
  // Chromium loads two pages of its own for the suggestions below the address of each window, which costs more than the
  // page that a test opens.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  // Features that send requests to hosts on the internet.
  "AimEnabled",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PreconnectToSearch",
  // Features that change how addresses are loaded, and when a page is shown.
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  // Playwright deletes the folder of the profile itself.
  "DestroyProfileOnBrowserClose",
];

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  // All pages share one process, which has compiled the scripts already. No test is about the wall between two sites.
  "--renderer-process-limit=1",
  "--process-per-site",
  `--disable-features=${OFF.join(",")}`,
  // The part that speaks to the network needs no process of its own, and no messages to it.
  "--enable-features=NetworkServiceInProcess2",
  // A page of a test does not live long enough to gain from its faster code. A small first heap is cleaned too often.
  "--js-flags=--no-opt --no-maglev --min-semi-space-size=16",
];

let running: Promise<Browser> | null = null;

/** The browser of this worker. It ends with the worker's process. */
function browserOf(executablePath: string): Promise<Browser> {
  running ??= chromium.launch({ executablePath, args: ARGUMENTS }).then((browser) => {
    browser.on("disconnected", () => {
      running = null;
    });
    return browser;
  });
  return running;
}

/** The part of the worker's browser that belongs to one test file. */
export interface TestBrowser {
  /** A window that no test has used. */
  fresh(options?: BrowserContextOptions): Promise<Page>;
  /** A window as a new one, which an earlier test may have left. */
  window(options?: BrowserContextOptions): Promise<Page>;
  /** Ends the use of a window: one of `window` is used again, any other is closed. */
  leave(page: Page): Promise<void>;
  /** The same for every window. */
  leaveAll(): Promise<void>;
  /** Closes every window. */
  close(): Promise<void>;
}

const AS_NEW = { colorScheme: "light", reducedMotion: "no-preference", forcedColors: "none" } as const;
const VIEWPORT = { width: 1280, height: 720 };

/** Options that a window which is there can take over. All others are fixed when it is made. */
function split({ viewport, colorScheme, reducedMotion, forcedColors, ...fixed }: BrowserContextOptions) {
  const media = {
    colorScheme: colorScheme ?? AS_NEW.colorScheme,
    reducedMotion: reducedMotion ?? AS_NEW.reducedMotion,
    forcedColors: forcedColors ?? AS_NEW.forcedColors,
  };
  return { kind: JSON.stringify(fixed), media, viewport: viewport ?? VIEWPORT };
}

/**
 * Cleans up a window after a test. Its cookies stay, as those of a person do. Returns false when that cannot be
 * done: a page that is on its way to another one answers nothing.
 */
async function tidy(page: Page): Promise<boolean> {
  try {
    for (const other of page.context().pages()) if (other !== page) await other.close();
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.evaluate("localStorage.clear(), sessionStorage.clear()");
    await page.goto("about:blank");
    await page.mouse.move(-1, -1);
    return true;
  } catch {
    return false;
  }
}

/** `watch` is called once with each window, before it loads anything. */
export async function testBrowser(
  executablePath: string,
  watch: (page: Page) => void = () => undefined,
): Promise<TestBrowser> {
  const browser = await browserOf(executablePath);
  const contexts: BrowserContext[] = [];
  const kinds = new Map<Page, string>();
  const used = new Set<Page>();

  async function fresh(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext(options);
    contexts.push(context);
    const page = await context.newPage();
    watch(page);
    used.add(page);
    return page;
  }

  async function leave(page: Page): Promise<void> {
    used.delete(page);
    if (kinds.has(page) && !page.isClosed() && (await tidy(page))) return;
    kinds.delete(page);
    await page.context().close();
  }

  return {
    fresh,
    leave,
    async window(options = {}) {
      const { kind, media, viewport } = split(options);
      const [free] = [...kinds].find(([page, own]) => own === kind && !used.has(page) && !page.isClosed()) ?? [];
      const page = free ?? (await fresh({ ...options, viewport }));
      kinds.set(page, kind);
      used.add(page);
      if (free !== undefined) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ media: null, ...media });
      }
      return page;
    },
    async leaveAll() {
      for (const page of [...used]) await leave(page);
    },
    async close() {
      await Promise.all(contexts.map((context) => context.close()));
    },
  };
}
