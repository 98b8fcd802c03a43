import { isJsonObject } from "../../../base/kernel/json.js";
import { pick } from "../../../base/kernel/pick.js";
import { crc16 } from "../../../base/pix/br-code.js";
import { isEndToEndId } from "../../../base/pix/ids.js";
import { answerText, field, textIn, valueText } from "../answer.js";
import { asWarning, type Check, checks, type Host, withNeeds } from "../check.js";
import * as expect from "../expect.js";
import { type CheckedExchange, Skip } from "../run-context.js";

/** Charges: the answer to a creation, its refusals, and later reads. */

const CHARGES = "/v1/charges";
const UNKNOWN = "ch_0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa";
const CPF = "52998224725";
const OTHER_CPF = "11144477735";

/** The objects of a charge whose fields are all known. Nothing else is served, so that no internal value can leak. */
const CLOSED = ["", "customer", "pix", "settlement"];

function expectAllowed({ shapes }: Host, seen: CheckedExchange): void {
  for (const path of CLOSED) {
    const allowed = shapes.fieldsOf("Charge", path);
    const value = path === "" ? seen.json : field(seen, path);
    const extra = Object.keys(isJsonObject(value) ? value : {}).find((name) => !allowed.includes(name));
    const place = path === "" ? "A charge" : `${path} of a charge`;
    expect.that(extra === undefined, `${place} has no fields but ${allowed.join(", ")}.`, `it has ${extra}`, seen);
  }
}

/** Creates a charge of `purpose` with other members. */
function create(host: Host, purpose: string, more: object, path = CHARGES): Promise<CheckedExchange> {
  return host.objects.createCharge({ ...host.objects.chargeBody(purpose), ...more }, path);
}

/** Returns a charge to inspect: a new one with --write, else the first payment that is a charge. */
async function readable(host: Host): Promise<string> {
  if (host.context.canWrite) return (await host.objects.charge()).raw;
  const found = (await host.objects.payments()).find((one) => {
    const methods = pick(one, "paymentMethods");
    return Array.isArray(methods) && methods.includes("PIX");
  });
  if (found === undefined) throw new Skip("there is no charge to look at; --write creates one");
  return String(pick(found, "id")).replace(/^tx_/, "");
}

/** The seconds from creation to expiry. */
function lifetime(seen: CheckedExchange): number {
  return (Date.parse(textIn(seen, "pix.expires_at")) - Date.parse(textIn(seen, "created_at"))) / 1_000;
}

/** Creates charges with other members, each of which is refused. */
async function refusesCharges(host: Host, wrong: readonly expect.WrongBody[]): Promise<string> {
  const named = wrong.map(([what, more, wanted]): expect.WrongBody => [`A charge with ${what}`, more, wanted]);
  await expect.allRefused(named, (more) => create(host, "it must be refused", more));
  return `400 for ${wrong.map(([what]) => what).join(", ")}`;
}

const READING = checks([], {
  async "charge-shape"(host) {
    const id = `ch_${await readable(host)}`;
    await expect.expectServed(host, "GET /v1/charges/{id}", { params: { id } });
    return `charge ${id} as in the schema`;
  },
  async "charge-fields"(host) {
    expectAllowed(host, await host.get(`${CHARGES}/ch_${await readable(host)}`));
    return "no field that the specification does not name";
  },
  async "charge-both-ids"(host) {
    const raw = await readable(host);
    const [one, other] = [await host.get(`${CHARGES}/ch_${raw}`), await host.get(`${CHARGES}/${raw}`)];
    expect.status(other, 200);
    const ids = [one, other].map((seen) => field(seen, "id"));
    expect.that(ids[0] === `ch_${raw}` && ids[1] === ids[0], `Both have the id ch_${raw}.`, valueText(ids), other);
    return "the same charge";
  },
  "charge-unknown": expect.refuses("404 not_found, also for an id of another form", expect.NOT_FOUND, [
    `GET ${CHARGES}/${UNKNOWN}`,
    `GET ${CHARGES}/ch_qa-pay-conform`,
  ]),
  async "charge-list"(host) {
    const seen = await host.get(CHARGES);
    if (seen.status === 200) {
      host.shapes.check(seen, "GET /v1/charges");
      return "it is served, in the intended form";
    }
    expect.refusal(seen, expect.NOT_FOUND);
    return answerText(seen);
  },
});

const CREATING = checks(["write"], {
  async "charge-create"(host) {
    const seen = await create(host, "the answer to its creation is checked", {});
    expect.status(seen, 201);
    host.shapes.check(seen, "POST /v1/charges", 201);
    expect.value(seen, "status", "pending");
    expect.value(seen, "settlement", {});
    return `201 ${String(field(seen, "id"))}`;
  },
  async "charge-read-again"(host) {
    const { id, created } = await host.objects.charge();
    const seen = await host.get(`${CHARGES}/${id}`);
    for (const name of ["id", "amount", "currency", "customer", "metadata", "checkout_url", "created_at"]) {
      const wanted = field(created, name);
      expect.value(seen, name, wanted, `${name} is ${valueText(wanted)}.`);
    }
    return "the same fields";
  },
  async "charge-pix"(host) {
    const { created } = await host.objects.charge();
    const code = textIn(created, "pix.br_code");
    const end = `6304${crc16(code.slice(0, -4))}`;
    const saw = `it ends in ${code.slice(-8)}`;
    expect.that(code.endsWith(end), "pix.br_code ends in 6304 and the CRC-16 of the rest.", saw, created);
    const images = ["qr_code_url", "qr_code_base64"].filter((name) => field(created, `pix.${name}`) !== undefined);
    const expected = "pix has one of qr_code_url and qr_code_base64.";
    expect.that(images.length === 1, expected, `it has ${images.join(" and ") || "neither"}`, created);
    const [id, txid] = [textIn(created, "id"), field(created, "pix.txid")];
    const isOther = txid !== id && txid !== id.replace("ch_", "");
    expect.that(isOther, "pix.txid is never the id of the charge.", "it is", created);
    return `a valid code and ${images[0]}`;
  },
  async "charge-checkout"(host) {
    const { created, id, raw } = await host.objects.charge();
    const url = textIn(created, "checkout_url");
    const isOne = URL.canParse(url) && url.includes(raw) && !url.includes(id) && !url.endsWith(raw);
    expect.that(isOne, `An address that contains ${raw} and a secret part.`, valueText(url), created);
    return "the raw id and a secret part";
  },
  async "charge-metadata"(host) {
    const seen = await create(host, "the metadata is checked", { metadata: { conform_run: host.run, _own: "x" } });
    expect.status(seen, 201);
    const description = `qa-pay conform ${host.run}: the metadata is checked`;
    const wanted = JSON.stringify({ conform_run: host.run, description });
    const metadata = field(seen, "metadata");
    const is = isJsonObject(metadata)
      ? JSON.stringify(metadata, ["conform_run", "description", "_own"])
      : valueText(metadata);
    expect.that(is === wanted, `metadata is ${wanted}.`, `it is ${is}`, seen);
    return "description added, _own removed";
  },
  async "charge-shortcut"(host) {
    const seen = await create(host, "it was made by the shortcut", { payment_method: undefined }, "/v1/pix/charges");
    expect.status(seen, 201);
    host.shapes.check(seen, "POST /v1/pix/charges", 201);
    expect.value(seen, "payment_method", "pix");
    return "201, payment_method pix";
  },
  "charge-amount": (host) =>
    refusesCharges(
      host,
      [0, -1, 1.5, "100", null].map((amount) => {
        const wanted = { param: "amount", code: "invalid_amount" };
        return [`the amount ${JSON.stringify(amount)}`, { amount }, wanted];
      }),
    ),
  "charge-fixed-values": (host) =>
    refusesCharges(host, [
      ["payment_method card", { payment_method: "card" }, { param: "payment_method" }],
      ["no payment_method", { payment_method: undefined }, { param: "payment_method" }],
      ["currency EUR", { currency: "EUR" }, { param: "currency" }],
    ]),
  async "charge-expiry"(host) {
    await refusesCharges(host, [["expires_in 59", { expires_in: 59 }, { param: "expires_in" }]]);
    for (const [sent, wanted] of [
      [60, 60],
      [100_000, 86_400],
    ] as const) {
      const seen = await create(host, `it expires in ${wanted} s`, { expires_in: sent });
      expect.status(seen, 201);
      const is = lifetime(seen);
      const expected = `expires_in ${sent} gives ${wanted} s from created_at to pix.expires_at.`;
      expect.that(Math.abs(is - wanted) <= 5, expected, `${is} s`, seen);
    }
    return "59 is refused, 60 is kept, 100000 becomes 86400";
  },
  async "charge-description-length"(host) {
    const text = `qa-pay conform ${host.run} `.padEnd(500, "x");
    expect.status(await create(host, "", { description: text }), 201);
    return refusesCharges(host, [["501 characters", { description: `${text}x` }, { param: "description" }]]);
  },
  "charge-expected-payer": (host) =>
    refusesCharges(host, [
      ["a wrong check digit", { expected_payer_tax_id: "52998224724" }, { param: "expected_payer_tax_id" }],
      ["punctuation", { expected_payer_tax_id: "529.982.247-25" }, { param: "expected_payer_tax_id" }],
      ["two documents", { expected_payer_tax_id: CPF, customer: { name: "qa-pay conform", document: OTHER_CPF } }, {}],
      ["no customer.name", { expected_payer_tax_id: CPF, customer: { document: CPF } }, {}],
    ]),
  async "charge-no-json"(host) {
    for (const raw of ["{", "[]", ""]) {
      const headers = { "idempotency-key": host.newKey() };
      const seen = await host.ask("POST", CHARGES, { raw, headers });
      expect.refusal(seen, { status: 400, code: "invalid_request" }, `A body ${JSON.stringify(raw)}`);
    }
    return "400 for three bodies";
  },
  "unknown-fields": asWarning(async (host) => {
    const seen = await create(host, "it has an unknown field", { qa_pay_conform: true });
    expect.status(seen, 201);
    return "201 with an unknown field";
  }),
  "charge-paid": withNeeds(["write", "emulator"], async (host) => {
    const { id } = await host.objects.paidCharge();
    const seen = await host.get(`${CHARGES}/${id}`);
    expect.value(seen, "status", "paid");
    const e2e = field(seen, "settlement.end_to_end_id");
    const isId = typeof e2e === "string" && isEndToEndId(e2e);
    expect.that(isId, "settlement.end_to_end_id has the form of the central bank.", valueText(e2e), seen);
    return `paid, ${String(e2e)}`;
  }),
});

export const CHARGE_CHECKS: readonly Check[] = [...READING, ...CREATING];
