import * as z from "zod";
import { withoutAddress } from "../../../base/kernel/page-address.js";
import { IsoInstant, NoQuery, Words } from "../../../base/kernel/schemas.js";
import { iso } from "../../../base/kernel/time.js";
import { MODES } from "../../../service/features/access/catalogue.js";
import { defineOperation } from "../../../service/features/operation.js";
import type { Controls } from "../control-interface.js";
import { StartReport } from "../start-report.js";

/** The emulator itself: its description, and its reset. */

export const sandboxRoot = defineOperation({
  id: "sandbox.show",
  route: "GET /_sandbox",
  summary: "Confirm that this is the emulator",
  description:
    "Confirms that this is the emulator and no real service, its version, the emulated time and the mode of the key. " +
    "The command line checks this before it sends the request of a simulator.",
  success: {
    status: 200,
    description: "The emulator, its version and clock, and the mode of the key",
    schema: z.object({
      emulator: z.literal("qa-pay"),
      version: z.string(),
      now: IsoInstant,
      mode: z.enum(MODES),
    }),
  },
}).control(({ caller }, controls: Controls) => ({
  emulator: "qa-pay" as const,
  version: controls.version,
  now: controls.clock.show().now,
  mode: caller.mode,
}));

export const sandboxReset = defineOperation({
  id: "sandbox.reset",
  route: "POST /_sandbox/reset",
  summary: "Delete everything except the first account and its keys",
  description:
    "Goes back to the state after the first start: charges, money, events, other accounts and what is due are gone, " +
    "the clock is real time again (or frozen, where the server was started so). The first account keeps its keys, " +
    "its users and its forward target. It needs no body.",
  success: { status: 204, description: "As after the first start", schema: z.undefined() },
  loses: "Charges, money, events and other accounts on this server are lost.",
  cli: {
    examples: ["qa-pay sandbox reset", "qa-pay sandbox reset --yes"],
    columns: [],
  },
}).control((_, controls: Controls) => controls.reset().then(() => undefined));

/** The options of the start and the system of the server, for the settings page of the console. */

export const sandboxSettings = defineOperation({
  id: "sandbox.settings",
  route: "GET /_sandbox/settings",
  summary: "Show how this server was started, and what it runs on",
  description:
    "Answers the flags of this start as they are in effect beside their defaults, the database with its size, the versions, " +
    "and the process with its memory. Keys, secrets and passwords are not shown, nor the query of an address. It takes " +
    "no parameter and refuses any.",
  query: NoQuery,
  success: {
    status: 200,
    description: "The start, the database and the process",
    schema: StartReport,
  },
  cli: {
    examples: ["qa-pay sandbox settings", "qa-pay sandbox settings --json"],
    columns: [
      "version, url",
      { path: "started_at", format: "text" },
      "database.file as Database, database.bytes, database.driver, node_version as Node, pid as Process",
    ],
    below: {
      rows: "flags",
      columns: "flag, value, default",
    },
  },
}).control((_, { settings }: Controls) => settings());

/** Links into the web console (docs/decisions/050-console-session.md). The command `console` requests one. */
export const sandboxConsoleLink = defineOperation({
  id: "sandbox.console.link",
  route: "POST /_sandbox/console/links",
  summary: "Create a link that opens the web console",
  description:
    "Creates a link that starts a session of the web console in the browser that opens it: once, within one minute of " +
    "real time. With `id` it leads to the page of that object. The session stands for every account of this server " +
    "and ends with it, or when it is not used for twelve hours. Where the console is switched off this is a 404.",
  body: z.object({
    id: Words.max(2_000, "must have at most 2000 characters")
      .optional()
      .describe("The id of an object, an end-to-end id, a txid, or the address of one of its pages"),
  }),
  success: {
    status: 201,
    description: "The link",
    schema: z.object({
      url: z.string(),
      public: z.boolean().describe("Whether it has the public address that the server was started with"),
      expires_at: IsoInstant.describe("When the link stops working, in real time"),
    }),
  },
  errors: ["not_found"],
  secrets: ["url"],
}).control(({ body }, controls: Controls) => {
  const page = body.id === undefined ? null : `go/${encodeURIComponent(withoutAddress(body.id))}`;
  const { url, isPublic, expiresAt } = controls.consoleLink(page);
  return { url, public: isPublic, expires_at: iso(expiresAt) };
});

/** Messages of the stream in one answer. */
const LATEST = 100;

export const sandboxStream = defineOperation({
  id: "sandbox.stream",
  route: "GET /_sandbox/stream",
  summary: "Follow everything that happens, live",
  description:
    "Streams what happens in the account and mode of the key as server-sent events with small bodies (ids and what has " +
    "changed): `request`, `event`, `sending`, `attempt`, `transaction`, `refund`, `payout`, `case`, `journal`, `mail`, `due`, " +
    "`clock`, `fault`, `chaos`, `snapshot`, `survive`. With `Last-Event-ID` it continues after that message. `resync` says that this " +
    "is not possible, that the reader was too slow, or that a reset or a restore has replaced everything: read anew what " +
    "you show. With `Accept: application/json` it answers the latest messages instead. An unknown parameter is refused.",
  stream: "everything",
  query: NoQuery,
  success: {
    status: 200,
    description: "The latest messages, newest first",
    schema: z.object({
      data: z.array(
        z
          .object({
            id: z.string().describe("For the header Last-Event-ID"),
            event: z.string(),
            data: z.record(z.string(), z.unknown()),
          })
          .meta({ id: "StreamMessage" }),
      ),
    }),
  },
}).control(({ caller }, { stream }: Controls) => ({ data: stream.latest(caller.bookId, LATEST) }));
