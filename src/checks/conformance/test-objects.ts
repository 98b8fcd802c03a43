import { TRANSACTION } from "../../api/client/accepted-id.js";
import { once } from "../../base/kernel/once.js";
import { pick } from "../../base/kernel/pick.js";
import { answerText, listIn, textIn } from "./answer.js";
import type { HostAccess } from "./host.js";
import { type CheckedExchange, Deviation, Skip } from "./run-context.js";

/**
 * The objects that checks share. Each is created or found once, at its first use. When that fails, the checks that need the
 * object are skipped, because the check of its creation reports the difference.
 */

const AMOUNT = 1_234;

/** Creates an object. A drift becomes the reason to skip. */
async function createOrSkip<Result>(what: string, make: () => Promise<Result>): Promise<Result> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof Deviation) throw new Skip(`it needs ${what}, and there is none (${error.seen})`);
    throw error;
  }
}

function requireCreated(seen: CheckedExchange, status = 201): CheckedExchange {
  if (seen.status === status) return seen;
  throw new Deviation(`${seen.method} ${seen.path} answered ${answerText(seen)}`, seen);
}

/** Removes `tx_` or `ch_`. */
export function withoutPrefix(id: unknown): string {
  return String(id).replace(TRANSACTION, "");
}

/** Registers the created object, so that the end of the run cancels it. */
function cancelAtEnd(host: HostAccess, seen: CheckedExchange): CheckedExchange {
  const id = pick(seen.json, "id");
  if (seen.status === 201 && typeof id === "string") {
    host.atEnd(async () => void (await host.ask("POST", `/v1/payments/${withoutPrefix(id)}/cancel`)));
  }
  return seen;
}

export interface CreatedCharge {
  readonly id: string;
  /** The id without `ch_`. */
  readonly raw: string;
  readonly created: CheckedExchange;
}

/** Creates the objects of a run, whose names a person recognises. */
function maker(host: HostAccess) {
  const name = `qa-pay conform ${host.run}`;
  const own = { amount: AMOUNT, metadata: { conform_run: host.run } };
  /** The body of a charge. `purpose` is shown in the description. */
  const chargeBody = (purpose: string): Readonly<Record<string, unknown>> => ({
    ...own,
    payment_method: "pix",
    description: `${name}: ${purpose}`,
    customer: { name },
  });
  /** Creates a charge, by default under a new idempotency key. The end of the run cancels it. */
  const createCharge = async (body: unknown, path = "/v1/charges", key = host.newKey()): Promise<CheckedExchange> =>
    cancelAtEnd(host, await host.ask("POST", path, { body, headers: { "idempotency-key": key } }));
  const newCharge = (purpose: string) =>
    createOrSkip("a charge", async (): Promise<CreatedCharge> => {
      const seen = requireCreated(await createCharge(chargeBody(purpose)));
      const id = textIn(seen, "id");
      return { id, raw: withoutPrefix(id), created: seen };
    });
  const newPaidCharge = (purpose: string) =>
    createOrSkip("a paid charge", async () => {
      const charge = await newCharge(purpose);
      requireCreated(await host.ask("POST", `/_sandbox/charges/${charge.id}/pay`, { body: {} }), 200);
      return charge;
    });
  return {
    chargeBody,
    createCharge,
    newCharge,
    newPaidCharge,
    /** The body of a payment, with a new idempotency key. */
    paymentBody: () => ({ ...own, paymentMethods: ["PIX"], customerName: name, idempotencyKey: host.newKey() }),
    /** Creates a payment. The end of the run cancels it. */
    createPayment: async (body: unknown) => cancelAtEnd(host, await host.ask("POST", "/v1/payments", { body })),
    /** Opens a MED case about a new paid charge; on an emulator only. */
    openCase: (purpose: string) =>
      createOrSkip("a MED case", async () => {
        const { id: chargeId } = await newPaidCharge(purpose);
        const body = { charge_id: chargeId, reason: `${name}: ${purpose}` };
        const id = textIn(requireCreated(await host.ask("POST", "/_sandbox/med-cases", { body })), "id");
        return { id, chargeId };
      }),
  };
}

export type TestObjects = ReturnType<typeof createTestObjects>;

/** Returns functions that create the objects for checks, or find them on a host where nothing may be written. */
export function createTestObjects(host: HostAccess) {
  const objects = maker(host);
  const { canWrite } = host.context;
  const read = (what: string, path: string) =>
    createOrSkip(what, async () => listIn(requireCreated(await host.get(path), 200)));
  /** Returns the first page of a list, with two or more objects where they can be created. */
  const readList = async (what: string, path: string, isMade: boolean, make: () => Promise<unknown>) => {
    const found = await read(what, path);
    if (!isMade || found.length > 1) return found;
    await make();
    await make();
    return read(what, path);
  };
  const payments = once(() =>
    readList("a list of payments", "/v1/payments", canWrite, () =>
      objects.newCharge("one of two payments in the list"),
    ),
  );
  return {
    ...objects,
    /** The first page of payments; with --write it has two or more. */
    payments,
    charge: once(() => objects.newCharge("the charge of most checks")),
    /** A charge that its payer has paid; on an emulator only. */
    paidCharge: once(() => objects.newPaidCharge("the paid charge of most checks")),
    /** The raw id of a payment that can be read. */
    async paymentId() {
      const [first] = await payments();
      if (first === undefined) throw new Skip("there is no payment to look at; --write creates one");
      return withoutPrefix(pick(first, "id"));
    },
    /** The first page of MED cases; with --write on an emulator it has two or more. */
    medCases: once(() =>
      readList("a list of MED cases", "/v1/med/cases", canWrite && host.facts.isEmulator, () =>
        objects.openCase("one of two cases in the list"),
      ),
    ),
  };
}
