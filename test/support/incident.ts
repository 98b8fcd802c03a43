import { readdirSync } from "node:fs";
import { afterAll, beforeAll } from "vitest";
import { setChaos } from "./chaos.js";
import type { Loose, TestEmulator } from "./emulator.js";
import { addEvidence, openCase } from "./med.js";
import type { Receiver } from "./receiver.js";
import { refund } from "./refunds.js";
import { advance, settle, subscribe } from "./webhooks.js";

/** A person whose data are in every place that has room for them. */
export const PERSON = {
  name: "Zuleide Quintão Ximenes",
  document: "529.982.247-25",
  email: "zuleide.x@correio.com.br",
  phone: "+55 (47) 98877-6655",
  payer: "Waldomiro Yamaguti",
  payerDocument: "11144477735",
} as const;

const KEY_IN_A_TEXT = "qa_live_0123456789abcdefgh";
const SECRET_IN_A_TEXT = "5e1f0b".repeat(10).padEnd(64, "0");

/** Everything that no masked file may hold, in the spellings that a file could have. */
export const OF_THE_PERSON: readonly string[] = [
  ...["Zuleide", "ZULEIDE", "Quintão", "Quintao", "Quint\\u00e3o", "Ximenes", "Waldomiro", "Yamaguti"],
  ...["529.982.247-25", "52998224725", "982.247", "111.444.777-35", "11144477735", "444.777"],
  ...["zuleide.x", "correio.com.br", "98877-6655", "988776655", "47988776655", "12ABC34501DE35", "12.ABC.345/01DE-35"],
  KEY_IN_A_TEXT,
  SECRET_IN_A_TEXT,
];

/**
 * A charge that was paid, reported to an endpoint that failed and twice to another one, refunded in part and disputed. Returns
 * its id.
 */
export async function eventfulCharge(emulator: TestEmulator, receiver: Receiver): Promise<string> {
  receiver.respond = ({ path, raw }) => ({
    status: path.includes("/first") && receiver.received.length < 3 ? 500 : 200,
    headers: { "set-cookie": "session=hidden-cookie" },
    body: `cannot read ${raw.slice(0, 2_000)}`,
  });
  const events = ["charge.created", "charge.paid", "payment.completed", "payment.refunded"];
  await subscribe(emulator, `${receiver.url}/first?token=hidden-token`, events);
  await setChaos(emulator, { duplicate: 1 });
  await subscribe(emulator, `${receiver.url}/second`, ["charge.paid"]);
  const charge = await emulator.charge({
    amount: 12_345,
    description: `for ${PERSON.name}, CPF ${PERSON.document}, ${PERSON.email}`,
    customer: { name: PERSON.name, document: PERSON.document, email: PERSON.email, phone: PERSON.phone },
    metadata: {
      order: "A-17",
      note: `call zuleide at 47 98877-6655; key ${KEY_IN_A_TEXT}; supplier 12.ABC.345/01DE-35`,
      settings: JSON.stringify({ webhook_secret: SECRET_IN_A_TEXT }),
      cpf: 52998224725,
      "zuleide.x@correio.com.br": true,
    },
  });
  await settle(emulator);
  await emulator.sandbox(`/charges/${charge.id}/pay`, {
    payer_name: PERSON.payer,
    payer_document: PERSON.payerDocument,
  });
  await settle(emulator);
  await advance(emulator, 3_600);
  await refund(emulator, charge.id.replace("ch_", ""), { amount: 1_000, reason: `Ximenes asked, ${PERSON.email}` });
  await advance(emulator, 60);
  const opened = await openCase(emulator, { charge_id: charge.id, reason: `${PERSON.payer} says that it was not him` });
  await addEvidence(emulator, opened.id, { file_name: "nota-Zuleide.png" });
  await setChaos(emulator, { duplicate: 0 });
  await advance(emulator, 3_600);
  return charge.id;
}

/** A text as a file keeps it, with a mark in place of the key and the secret that stood in it. */
export function withoutPlanted(text: string): string {
  return text.replaceAll(KEY_IN_A_TEXT, "…").replaceAll(SECRET_IN_A_TEXT, "…");
}

/**
 * Returns the items of a timeline without the requests, which no file has. Answers of receivers and the lengths of bodies
 * change where a key stood in them.
 */
export function describeAll({ items }: Loose): Loose[] {
  const told = items.filter(({ kind }: Loose) => kind !== "request");
  const text = JSON.stringify(told, (name, value) =>
    ["cause", "cause_params", "content-length", "answer", "text", "set-cookie"].includes(name) ||
    (name === "body" && String(value).startsWith("cannot read"))
      ? undefined
      : value,
  );
  return JSON.parse(withoutPlanted(text.replaceAll("?token=hidden-token", "")));
}

/**
 * Creates a temporary folder for the tests of a file, because other files replay incidents at the same time. Returns a function
 * that lists the folders of replays that still exist.
 */
export function replaysLeftIn(folder: () => string): () => string[] {
  const before = process.env.TMPDIR;
  beforeAll(() => {
    process.env.TMPDIR = folder();
  });
  afterAll(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  return () => readdirSync(folder()).filter((one) => one.startsWith("qa-pay-incident-"));
}
