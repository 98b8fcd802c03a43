import type { OperationSpec } from "../../../../api/client/describe-operations.js";
import type { CliColumn } from "../../../../base/kernel/contract.js";
import { DAY } from "../../../../base/kernel/duration.js";
import { UUID_FORM } from "../../../../base/kernel/ids.js";
import { isJsonObject } from "../../../../base/kernel/json.js";
import { trimPasted, unwrapId } from "../../../../base/kernel/pasted-text.js";
import { pick } from "../../../../base/kernel/pick.js";
import { counted, joinWords, t } from "../../../../base/kernel/wording.js";
import { readQuestion } from "../../../../service/features/search/question.js";
import { connect } from "../../host/connect.js";
import type { Connection } from "../../host/connection.js";
import { mayBeSent } from "../../host/consent.js";
import { type ListCall, pageReader, printAll, type RowFilter } from "../../operation/all-pages.js";
import { withColumns } from "../../operation/columns.js";
import { prepare } from "../../operation/prepare.js";
import { rowsOf } from "../../operation/rows.js";
import { EXIT, Failure, usage } from "../../terminal/failure.js";
import { daySpan } from "../../terminal/moment.js";
import { timeText, zonedTime } from "../../terminal/output.js";
import { localized } from "../../terminal/terminal-text.js";
import { type CommandContext, defineCommand } from "../../tree/define-command.js";
import { FORM, formOf, listFlags } from "../../tree/syntax.js";
import { matcher, mayBePaidBy } from "./match.js";

/** Reads the pages of a host's payments, and shows those that hold a text. */

const DAYS = 30;
/** The largest page that the service gives: the fewest requests. */
const PAGE = "100";

const MATCHED: CliColumn = { header: "Matched", path: "matched", format: "list", isWhole: true };

/** A UUID alone or behind a prefix: only one payment has it. */
const WHOLE_ID = new RegExp(`^(?:[a-z]{2,3}_)?${UUID_FORM}$`, "i");

type Read = Parameters<RowFilter["take"]>[1];

interface Search extends Pick<CommandContext, "io" | "operation"> {
  readonly connection: Connection;
  readonly text: string;
  readonly matching: ReturnType<typeof matcher>;
}

/**
 * Returns whether a listed payment has an end-to-end id. The list does not show it, but the payment's charge does, and the
 * minute in the id leaves few payments whose charge must be read.
 */
function paidBy({ io, connection, operation }: Search, endToEndId: string) {
  const charges = operation("charges get");
  return async (row: unknown, read: Read): Promise<boolean> => {
    if (!mayBePaidBy(row, endToEndId)) return false;
    try {
      // The id of the payment becomes that of its charge.
      const { request } = await prepare(charges, connection, { positional: [String(pick(row, "id"))] }, io);
      return pick(await read(charges, request.url), "settlement.end_to_end_id") === endToEndId;
    } catch (error) {
      if (error instanceof Failure && error.exitCode === EXIT.notFound) return false;
      throw error;
    }
  };
}

/** `since` returns the beginning as text, with its zone if the argument is true; a table names the zone itself. */
function rowFilterFor(search: Search, since: (isZoned: boolean) => string): RowFilter {
  const { text, matching } = search;
  const { endToEndId } = readQuestion(text);
  const { placesIn, terms } = matching;
  const isPaidBy = endToEndId === null || endToEndId.startsWith("D") ? null : paidBy(search, endToEndId);
  const isUnique = isPaidBy !== null || WHOLE_ID.test(unwrapId(text));
  let isFound = false;
  return {
    async take(rows, read) {
      const found: unknown[] = [];
      for (const row of rows) {
        if (isUnique && isFound) break;
        const places = placesIn(row);
        const isPaid = places === null && (await isPaidBy?.(row, read)) === true;
        if (places === null && !isPaid) continue;
        isFound ||= isPaid || String(places?.[0]).startsWith("id ");
        found.push({ ...(isJsonObject(row) ? row : {}), matched: places ?? [t`end-to-end id ${text}`] });
      }
      return found;
    },
    isDone: () => isUnique && isFound,
    summary: (taken, read) => {
      const where = t`in ${counted(read, "payment")} since ${since(taken === 0)}`;
      if (taken > 0) return localized`${taken} found ${where}`;
      const each = terms.map(({ term, count }) => (count === 0 ? t`${term} in none` : t`${term} in ${count}`));
      const what =
        each.length === 0 ? t`Nothing found ${where}.` : t`None has all of it ${where}: ${joinWords(each, ", ")}.`;
      // A day is always read.
      return matching.since === null ? localized`${what} Look further back with --start-date.` : localized`${what}`;
    },
  };
}

/**
 * The address of the first page. Without a beginning it is 30 days before the end, or before `now`, or a day that the text names and
 * that is earlier.
 */
function withStart(address: string, now: number, named: number | null): URL {
  const url = new URL(address);
  const end = Date.parse(url.searchParams.get("endDate") ?? "");
  const usual = (Number.isNaN(end) ? now : end) - DAYS * DAY;
  const start = new Date(Math.min(usual, named ?? usual)).toISOString();
  if (!url.searchParams.has("startDate")) url.searchParams.set("startDate", start);
  return url;
}

/**
 * The time that the 30 days end at when the person names none. The clock of the host may be far behind that of this machine, as
 * that of an emulator often is. Then the newest payment is old, and its creation counts.
 */
async function endOf({ io, spec, ...call }: ListCall, newest: URL): Promise<number> {
  const now = io.now();
  newest.searchParams.set("limit", "1");
  const read = pageReader({ ...call, io, stop: new AbortController().signal });
  const [row] = rowsOf(spec, await read(spec, newest.href));
  const created = Date.parse(String(pick(row, "createdAt")));
  return Number.isNaN(created) ? now : Math.min(now, created);
}

/** The list of payments with a column that says what has matched. */
function withMatches(list: OperationSpec): OperationSpec {
  const columns = list.columns.map((column) =>
    column.path === "paymentMethods" ? { ...column, ifWide: true as const } : column,
  );
  return { ...list, columns: [...columns, MATCHED], rowFields: [...list.rowFields, { path: MATCHED.path }] };
}

export const command = defineCommand({
  command: "payments find",
  summary: "Find payments of any host by an id, a person, an amount or a text",
  takes: {
    "<text...>":
      "part of an id, end-to-end id, name, document, e-mail, description or metadata, an amount, or a day such as today or 28/11/2026",
  },
  flags: {
    "--start-date <time>": "created from this time on (default 30 days ago)",
    "--end-date <time>": "created up to this time",
    ...FORM,
  },
  examples: [
    "qa-pay payments find 'Maria Silva'",
    "qa-pay payments find 'R$ 19,90' --start-date 2026-11-01",
    "qa-pay payments find silva yesterday",
    "qa-pay payments find 'silva 19,90' --output csv --columns id,status,amount,matched",
  ],
  sends: true,
}).run(async ({ io, operation, given, flags: own }) => {
  const flags = listFlags(own);
  const text = trimPasted(given.text.join(" "));
  if (text === "") throw usage(t`The text to search for is empty.`);
  const spec = withColumns(withMatches(operation("payments list")), flags);
  const connection = await connect(io, flags);
  const options = { "start-date": flags.startDate, "end-date": flags.endDate, limit: PAGE };
  const prepared = await prepare(spec, connection, { options, utc: flags.utc }, io);
  const matching = matcher(text, (term) => daySpan(term, { utc: flags.utc, now: io.now() }));
  const first = { ...prepared.request, url: withStart(prepared.request.url, io.now(), matching.since).href };
  if (!(await mayBeSent(io, connection.policy, first, flags))) return;
  const call = { io, spec, connection, request: first, flags };
  const hasDates = flags.startDate !== undefined || flags.endDate !== undefined;
  const end = hasDates ? io.now() : await endOf(call, new URL(prepared.request.url));
  const url = withStart(prepared.request.url, end, matching.since);
  const start = url.searchParams.get("startDate") ?? "";
  const since = (isZoned: boolean) =>
    isZoned || formOf(flags) !== "table" ? zonedTime(start, flags.utc) : timeText(start, flags.utc);
  const request = { ...first, url: url.href };
  await printAll({ ...call, request }, rowFilterFor({ io, operation, connection, text, matching }, since));
});
