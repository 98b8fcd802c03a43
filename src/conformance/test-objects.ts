import { TRANSACTION } from "../client/given-id.js";
import { once } from "../kernel/once.js";
import { pick } from "../kernel/pick.js";
import { answerText, listIn, textIn } from "./answer.js";
import { type CheckedExchange, type CreatedCharge, Deviation, type Host, Skip, type TestObjects } from "./check.js";

const AMOUNT = 1_234;

/** Makes an object. A drift becomes the reason to skip. */
async function needed<Result>(what: string, make: () => Promise<Result>): Promise<Result> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof Deviation) throw new Skip(`it needs ${what}, and there is none (${error.seen})`);
    throw error;
  }
}

function created(seen: CheckedExchange, status = 201): CheckedExchange {
  if (seen.status === status) return seen;
  throw new Deviation(`${seen.method} ${seen.path} answered ${answerText(seen)}`, seen);
}

/** Removes `tx_` or `ch_`. */
export function withoutPrefix(id: unknown): string {
  return String(id).replace(TRANSACTION, "");
}

/** The end of the run cancels what this answer says was created. */
function cancelledAtEnd(host: Host, seen: CheckedExchange): CheckedExchange {
  const id = pick(seen.json, "id");
  if (seen.status === 201 && typeof id === "string") {
    host.atEnd(async () => void (await host.ask("POST", `/v1/payments/${withoutPrefix(id)}/cancel`)));
  }
  return seen;
}

function chargeMaker(host: Host) {
  const chargeBody = (purpose: string) => ({
    amount: AMOUNT,
    payment_method: "pix",
    description: `qa-pay conform ${host.run}: ${purpose}`,
    customer: { name: `qa-pay conform ${host.run}` },
    metadata: { conform_run: host.run },
  });
  const createCharge: TestObjects["createCharge"] = async (body, path = "/v1/charges", key = host.newKey()) =>
    cancelledAtEnd(host, await host.ask("POST", path, { body, headers: { "idempotency-key": key } }));
  const newCharge = (purpose: string) =>
    needed("a charge", async (): Promise<CreatedCharge> => {
      const seen = created(await createCharge(chargeBody(purpose)));
      const id = textIn(seen, "id");
      return { id, raw: withoutPrefix(id), created: seen };
    });
  const newPaidCharge = (purpose: string) =>
    needed("a paid charge", async () => {
      const charge = await newCharge(purpose);
      created(await host.ask("POST", `/_sandbox/charges/${charge.id}/pay`, { body: {} }), 200);
      return charge;
    });
  return { chargeBody, createCharge, newCharge, newPaidCharge };
}

function caseMaker(host: Host, newPaidCharge: (purpose: string) => Promise<CreatedCharge>): TestObjects["openCase"] {
  return (purpose) =>
    needed("a MED case", async () => {
      const { id: chargeId } = await newPaidCharge(purpose);
      const body = { charge_id: chargeId, reason: `qa-pay conform ${host.run}: ${purpose}` };
      const id = textIn(created(await host.ask("POST", "/_sandbox/med-cases", { body })), "id");
      return { id, chargeId };
    });
}

export function createTestObjects(host: Host): TestObjects {
  const { chargeBody, createCharge, newCharge, newPaidCharge } = chargeMaker(host);
  const { canWrite } = host.context;
  const openCase = caseMaker(host, newPaidCharge);
  const listed = (what: string, path: string) => needed(what, async () => listIn(created(await host.get(path), 200)));
  const payments = once(async () => {
    const found = await listed("a list of payments", "/v1/payments");
    if (!canWrite || found.length > 1) return found;
    await newCharge("one of two payments in the list");
    await newCharge("one of two payments in the list");
    return listed("a list of payments", "/v1/payments");
  });
  const paymentBody = () => ({
    amount: AMOUNT,
    paymentMethods: ["PIX"],
    customerName: `qa-pay conform ${host.run}`,
    metadata: { conform_run: host.run },
    idempotencyKey: host.newKey(),
  });
  const createPayment = async (body: unknown) => cancelledAtEnd(host, await host.ask("POST", "/v1/payments", { body }));
  return {
    chargeBody,
    createCharge,
    paymentBody,
    createPayment,
    openCase,
    payments,
    charge: once(() => newCharge("the charge of most checks")),
    paidCharge: once(() => newPaidCharge("the paid charge of most checks")),
    async paymentId() {
      const [first] = await payments();
      if (first === undefined) throw new Skip("there is no payment to look at; --write makes one");
      return withoutPrefix(pick(first, "id"));
    },
    medCases: once(async () => {
      const found = await listed("a list of MED cases", "/v1/med/cases");
      if (!canWrite || !host.facts.isEmulator || found.length > 1) return found;
      await openCase("one of two cases in the list");
      await openCase("one of two cases in the list");
      return listed("a list of MED cases", "/v1/med/cases");
    }),
  };
}
