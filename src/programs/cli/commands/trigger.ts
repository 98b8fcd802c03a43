import type { GlobalFlags } from "../../../api/client/flags.js";
import { FIXTURES } from "../../../api/fixtures/built-in-fixtures.js";
import type { Fixture } from "../../../api/fixtures/fixture.js";
import { eventsOf, fixtureFor } from "../../../api/fixtures/resolve.js";
import { runAndPrint } from "../fixtures/run-and-print.js";
import type { Connection } from "../host/connection.js";
import { getWithKey, refusalOfHost } from "../host/read.js";
import { parsePastedId } from "../operation/pasted-id.js";
import { EXIT, Failure, jsonOf, suggestion, usage } from "../terminal/failure.js";
import { defineCommand } from "../tree/define-command.js";

function findFixture(event: string): Fixture {
  const found = fixtureFor(FIXTURES, event);
  if (found !== undefined) return found;
  const names = eventsOf(FIXTURES);
  const message = `There is no event ${event}. There are ${names.join(", ")}.`;
  throw usage(message, suggestion(event, names));
}

/** Returns whether --charge can replace the charge that the fixture would create. */
function takesCharge({ steps }: Fixture): boolean {
  return steps.length > 1 && steps.some(({ name }) => name === "charge");
}

async function readExistingCharge(connection: Connection, given: string, { dryRun }: GlobalFlags): Promise<unknown> {
  const id = parsePastedId(given, "charges", connection.host);
  if (dryRun) return { id };
  const { status, text } = await getWithKey(connection, `/v1/charges/${encodeURIComponent(id)}`);
  if (status === 200) return jsonOf(text);
  if (status !== 404) throw refusalOfHost(connection, status, text);
  throw new Failure(EXIT.notFound, "not_found", `There is no charge ${id}.`);
}

export const command = defineCommand({
  command: "trigger",
  summary: "Trigger an event by creating the objects that cause it",
  takes: { "<event>": "name of the event, such as charge.paid" },
  flags: {
    "--set <path=value>": {
      about: "another value for a field, such as charge.amount=500, as JSON or text; null drops it; may be repeated",
      many: true,
    },
    "--charge <id>": "use this charge instead of a new one",
  },
  examples: [
    "qa-pay trigger charge.paid",
    "qa-pay trigger payment.refunded --set charge.amount=5000 --set refund.amount=100",
    "qa-pay trigger charge.expired --charge ch_0198…",
  ],
  sends: true,
}).run(({ io, given: { event }, flags }) => {
  const fixture = findFixture(event);
  const { charge: id } = flags;
  if (id === undefined) return runAndPrint(io, fixture, flags, { event });
  if (!takesCharge(fixture)) throw usage(`${event} is no event of a charge.`);
  return runAndPrint(io, fixture, flags, {
    event,
    answersOfSkipped: async (connection) => ({ charge: await readExistingCharge(connection, id, flags) }),
  });
});
