import { refusedBy, requireEmulator, sendOrFail } from "../target/ask-host.js";
import { requireWritable } from "../target/door.js";
import { findTarget, requireKey } from "../target/resolve-target.js";
import type { Target } from "../target/target.js";
import { EXIT } from "../terminal/exit-codes.js";
import { Failure, jsonOf } from "../terminal/failure.js";
import { hasBrowser, openWith } from "../terminal/opener.js";
import { bodyText, say } from "../terminal/terminal-text.js";
import { defineCommand } from "../tree/define-command.js";

/** `console`: a link that opens the web console of an emulator. */

interface Link {
  readonly url: string;
  readonly public?: boolean;
  readonly expires_at: string;
}

async function askForLink(target: Target, id: string | undefined): Promise<Link> {
  const headers = { accept: "application/json", "content-type": "application/json", apikey: requireKey(target) };
  const url = `${target.baseUrl}/_sandbox/console/links`;
  const request = { method: "POST", url, headers, body: JSON.stringify({ id }) };
  requireWritable(target, request);
  await requireEmulator(target);
  const { status, text } = await sendOrFail(request, target);
  if (status !== 201) throw refusedBy(target, status, text);
  const link = jsonOf(text) as Link;
  const { pathname, search } = URL.canParse(link.url) ? new URL(link.url) : { pathname: "", search: "" };
  if (pathname !== "/console/open") {
    throw new Failure(EXIT.unreachable, "unexpected_answer", `${target.baseUrl} answered no link of a console.`);
  }
  // A session is bound to the public address when there is one.
  if (link.public === true) return link;
  // The server names itself by the port that it listens on. Behind a port mapping it is reached by another one.
  return { ...link, url: target.baseUrl + pathname + search };
}

export const command = defineCommand({
  command: "console",
  summary: "Open the web console in the browser",
  takes: { "[id]": "object to show: any id, or the address of one of its pages" },
  flags: { "--no-open": "print the link and open no browser" },
  examples: ["qa-pay console", "qa-pay console ch_0198…", "qa-pay console --no-open"],
  sends: true,
  globals: { dryRun: false },
}).run(async ({ io, given, flags }) => {
  const target = await findTarget(io, flags);
  const link = await askForLink(target, given.id);
  if (flags.json) return io.out(bodyText(io, `${JSON.stringify(link)}\n`));
  io.out(say`${link.url}\n`);
  if (flags.open === false || !hasBrowser(io)) return;
  const { program, isStarted } = await openWith(io, link.url);
  if (!isStarted) io.err(say`${program} is not there to open a browser. Open the link yourself, within a minute.\n`);
});
