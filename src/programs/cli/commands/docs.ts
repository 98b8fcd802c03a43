import { EXIT, Failure, suggestion, usage } from "../terminal/failure.js";
import { hasBrowser, openWith } from "../terminal/opener.js";
import { readWhole } from "../terminal/read-value.js";
import { jsonText, say } from "../terminal/terminal-text.js";
import { defineCommand } from "../tree/define-command.js";

/** `docs`: serves the documentation that comes with the package, until Ctrl-C. It needs no service and no network. */

/** The folders of a name without a folder, in the order of the search. */
const FOLDERS = ["", "guides/", "service/", "decisions/"];

/** The path of the page that somebody means: `refunds`, `guides/refunds`, `ERRORS` or `errors.md`. */
function pageOf(wanted: string | undefined, pages: readonly string[]): string {
  if (wanted === undefined) return "";
  const name = wanted
    .replace(/^\/+/, "")
    .replace(/\.(?:md|html)$/, "")
    .toLowerCase();
  // A page in another language is named with its folder, or by the name of the English one: the browser's language decides.
  for (const folder of FOLDERS) {
    const found = pages.find((page) => page.toLowerCase() === folder + name);
    if (found !== undefined) return found;
  }
  const known = pages.map((page) => page.slice(page.lastIndexOf("/") + 1));
  const hint = suggestion(name, known) ?? "`qa-pay docs` alone opens the first page.";
  throw usage(`The documentation has no page ${wanted}.`, hint);
}

async function openBuilt() {
  const { openSite } = await import("../../../web/docs/site.js");
  return openSite().catch(() => {
    const message =
      "The documentation is not in this installation. In a checkout of the source, `npm run build` builds it.";
    throw new Failure(EXIT.unexpected, "unexpected", message);
  });
}

export const command = defineCommand({
  command: "docs",
  summary: "Serve this documentation to the browser, without a network",
  takes: { "[page]": "page to show, such as quick-start, refunds or errors; each page has a search" },
  flags: {
    "--port <number>": { about: "port to listen on; 0 takes any free one", default: "0" },
    "--no-open": "print the address and open no browser",
  },
  examples: ["qa-pay docs", "qa-pay docs refunds", "qa-pay docs --port 8080 --no-open"],
}).run(async ({ io, given, flags }) => {
  const port = readWhole("--port", flags.port, "a whole number from 0 to 65535", [0, 65_535]);
  const site = await openBuilt();
  const page = pageOf(given.page, site.pages);
  const { serveSite } = await import("../../../web/docs/site-server.js");
  const stopped = new Promise<void>((done) => io.onStop(done));
  const server = await serveSite(site, port);
  const url = `${server.url}/${page}`;
  io.out(flags.json ? jsonText({ url }) : say`${url}\n`);
  if (io.isScreen && !flags.json) io.err(say`Ctrl-C stops.\n`);
  if (flags.open !== false && hasBrowser(io)) await openWith(io, url, "a browser. Open the address yourself.");
  await stopped;
  await server.close(0);
});
