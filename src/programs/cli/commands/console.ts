import type { OperationAnswer } from "../../../api/client/types.js";
import { findConnection } from "../host/connect.js";
import type { Connection } from "../host/connection.js";
import { requireKey } from "../host/credential.js";
import { requireWritable } from "../host/policy.js";
import { refusalOfHost, requireEmulator } from "../host/read.js";
import { sendOrFail } from "../host/send.js";
import { EXIT, Failure, jsonOf } from "../terminal/failure.js";
import { hasBrowser, openWith } from "../terminal/opener.js";
import { bodyText, say } from "../terminal/terminal-text.js";
import { defineCommand } from "../tree/define-command.js";

/** `console`: a link that opens the web console of an emulator. */

type Link = OperationAnswer<"sandbox.console.link">;

/**
 * The address in an answer, when it is a link of a console. A desktop opens an address with the program of its scheme, so
 * another scheme could start any program.
 */
function addressOf(answered: unknown): URL | null {
  if (typeof answered !== "string" || !URL.canParse(answered)) return null;
  const url = new URL(answered);
  const isWeb = url.protocol === "http:" || url.protocol === "https:";
  return isWeb && url.username === "" && url.password === "" && url.pathname === "/console/open" ? url : null;
}

async function askForLink(connection: Connection, id: string | undefined): Promise<Link> {
  const headers = { accept: "application/json", "content-type": "application/json", apikey: requireKey(connection) };
  const url = `${connection.host.url}/_sandbox/console/links`;
  const request = { method: "POST", url, headers, body: JSON.stringify({ id }) };
  requireWritable(connection.policy, request);
  await requireEmulator(connection);
  const { status, text } = await sendOrFail(request, connection.policy);
  if (status !== 201) throw refusalOfHost(connection, status, text);
  const link = jsonOf(text) as Link;
  const address = addressOf(link.url);
  if (address === null) {
    throw new Failure(EXIT.unreachable, "unexpected_answer", `${connection.host.url} answered without a console link.`);
  }
  // A session is bound to the public address when there is one.
  if (link.public === true) return { ...link, url: address.href };
  // The server names itself by the port that it listens on. Behind a port mapping it is reached by another one.
  return { ...link, url: connection.host.url + address.pathname + address.search };
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
  const connection = await findConnection(io, flags);
  const link = await askForLink(connection, given.id);
  if (flags.json) return io.out(bodyText(io, `${JSON.stringify(link)}\n`));
  io.out(say`${link.url}\n`);
  if (flags.open === false || !hasBrowser(io)) return;
  const { origin } = new URL(link.url);
  if (origin !== new URL(connection.host.url).origin) {
    const why = `The link leads to ${origin}, the public address that ${connection.host.url} names. Open it yourself when you know it.`;
    return io.err(say`${why}\n`);
  }
  await openWith(io, link.url, "a browser. Open the link yourself, within a minute.");
});
