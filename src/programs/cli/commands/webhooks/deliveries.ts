import { deliveriesSince, isAbout, pagesOf } from "../../../../api/client/delivery-search.js";
import { ID_PREFIX } from "../../../../base/kernel/ids.js";
import type { AnyObject } from "../../../../base/kernel/json.js";
import { pick } from "../../../../base/kernel/pick.js";
import { iso } from "../../../../base/kernel/time.js";
import { t } from "../../../../base/kernel/wording.js";
import { pageReader } from "../../operation/all-pages.js";
import { prepare } from "../../operation/prepare.js";
import { progressReporter, saysMore } from "../../operation/progress.js";
import { rowPrinter } from "../../operation/rows.js";
import type { OperationCall, OwnPart } from "../../operation/show.js";
import { EXIT, Failure } from "../../terminal/failure.js";
import { zonedTime } from "../../terminal/output.js";
import { commandLine } from "../../terminal/program-command.js";
import { jsonText, localized } from "../../terminal/terminal-text.js";
import { formOf, LISTING } from "../../tree/syntax.js";

/** `--payment`: narrows the list to one payment by reading its pages, because the list has no such filter on any host. */

const FLAGS = {
  ...LISTING,
  "--payment <id>":
    "only those about this payment, its refunds and its MED cases; reads 30,000 deliveries since its creation, with --all every one",
} as const;

/** The most pages that are read without --all, a hundred deliveries each. */
const MOST_PAGES = 300;

/** Reads the payment, then the deliveries since its creation, the newest first. Throws Failure (exit 4) for an unknown id. */
async function readAbout({ io, operation, spec, connection, request, flags }: OperationCall, given: string) {
  const stop = new AbortController();
  io.onStop(() => stop.abort());
  const read = pageReader({ io, connection, request, flags, stop: stop.signal });
  const get = operation("payments get");
  const { ids, request: ofPayment } = await prepare(get, connection, { positional: [given] }, io);
  const payment = await read(get, ofPayment.url);
  const raw = String(ids[0]).replace(ID_PREFIX.transaction, "");
  const report = progressReporter(io, saysMore(flags));
  let count = 0;
  const readPage = async (address: string) => {
    const answer = await read(spec, connection.host.url + address);
    const rows = pick(answer, "data");
    count += Array.isArray(rows) ? rows.length : 0;
    report(() => localized`${count} read so far\n`);
    stop.signal.throwIfAborted();
    return answer;
  };
  const filter = Object.fromEntries(new URL(request.url).searchParams);
  const since = Date.parse(String(pick(payment, "createdAt"))) || 0;
  const search = {
    isWanted: (one: AnyObject) => isAbout(one, raw),
    mostPages: flags.all ? Number.POSITIVE_INFINITY : MOST_PAGES,
  };
  try {
    const { found, unseen } = await deliveriesSince(pagesOf<AnyObject>(readPage, filter), since, search);
    return { id: ID_PREFIX.transaction + raw, found: [...found].reverse(), unseen };
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    const hint = t`${count} were read, and there may be more.`;
    throw new Failure(EXIT.unexpected, "cancelled", t`Stopped before the end of the list.`, hint);
  }
}

async function showAbout(call: OperationCall, given: string): Promise<void> {
  const { io, spec, request, flags } = call;
  const { id, found, unseen } = await readAbout(call, given);
  const { searchParams: wanted } = new URL(request.url);
  const offset = Number(wanted.get("offset") ?? 0);
  const limit = wanted.get("limit");
  const data = limit === null || flags.all ? found.slice(offset) : found.slice(offset, offset + Number(limit));
  if (formOf(flags) === "json") {
    return io.out(jsonText({ data, total: found.length, ...(unseen !== null && { has_more: true }) }));
  }
  (await rowPrinter(io, spec, flags)).rows(data);
  if (!saysMore(flags)) return;
  if (unseen !== null) {
    const last = zonedTime(iso(unseen), flags.utc);
    io.err(localized`Deliveries after ${last} were not read; --all reads them, too.\n`);
  }
  if (found.length > 0) io.err(localized`${data.length} of ${found.length} deliveries about ${id}\n`);
  else {
    const why = `\`${commandLine("qa-pay", ["why", id], flags)}\``;
    io.err(localized`No delivery is about ${id}. ${why} says more.\n`);
  }
}

export const own: OwnPart<typeof FLAGS> = {
  flags: FLAGS,
  instead: (call, { payment }) => (payment === undefined ? null : showAbout(call, payment)),
};
