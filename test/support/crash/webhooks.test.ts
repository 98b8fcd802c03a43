import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Loose, startEmulator, type TestEmulator } from "../emulator.js";
import { postPayment } from "../payments.js";
import { type Received, type Receiver, startReceiver } from "../receiver.js";
import { type Folder, newFolder } from "../snapshots.js";
import { settle, subscribe } from "../webhooks.js";
import { Notebook } from "./clients.js";
import { hookUrl } from "./image.js";
import { Inbox, wrongWebhooks } from "./webhooks.js";
import type { Fact, Known } from "./worlds.js";

/** Each check of the deliveries finds its fault: each test changes one fact of a correct run. */

let folder: Folder;
let receiver: Receiver;
let got: readonly Received[];
let endpoint: Loose;
let charge: Loose;
let secrets: Readonly<Record<string, string>>;

async function tell(emulator: TestEmulator): Promise<void> {
  endpoint = await subscribe(emulator, hookUrl(receiver.url, "crash-a"), ["charge.created"]);
  charge = await emulator.charge();
  await postPayment(emulator, { webhookUrl: `${receiver.url}/private` });
  await settle(emulator);
}

beforeAll(async () => {
  folder = newFolder();
  receiver = await startReceiver();
  const emulator = await startEmulator({ frozen: true, db: folder.db, forwardTo: `${receiver.url}/forward` });
  await tell(emulator);
  const { forward, signingSecret } = emulator;
  secrets = { forward: forward?.secret ?? "", private: signingSecret, "crash-a": endpoint.secret };
  await emulator.close();
  got = [...receiver.received];
});

afterAll(async () => {
  await receiver.close();
  folder.remove();
});

/** The records of clients in a correct run. */
function notes(): Notebook {
  const notebook = new Notebook();
  for (const [name, secret] of Object.entries(secrets)) notebook.addTo(notebook.secrets, name, [secret]);
  notebook.addTo(notebook.subscriptions, "crash-a", ["charge.created"]);
  notebook.modes.set("crash-a", "test");
  const types = ["charge.created", "payment.created"];
  notebook.creations.push({ from: 3, until: 4, mode: "test", subject: charge.id.slice(3), types });
  return notebook;
}

const FACTS: readonly Fact[] = [
  { is: "at", object: "endpoint crash-a", status: "there" },
  { is: "set", name: "endpoint crash-a status", value: "ACTIVE" },
  { is: "set", name: "endpoint crash-a events", value: "charge.created" },
];
const KNOWN: readonly Known[] = FACTS.map((fact) => ({ fact, from: 1, until: 2, sure: true }));

interface Fault {
  /** SQL. */
  readonly change?: string;
  readonly notebook?: Notebook;
  /** The received webhooks, and those that were accepted. */
  readonly received?: readonly Received[];
  readonly refuses?: boolean;
}

function wrongWith({ change = "", notebook = notes(), received = got, refuses = false }: Fault): string[] {
  const place: Receiver = { ...receiver, received: [...received], respond: null };
  const inbox = new Inbox(place, () => refuses);
  for (const one of received) void place.respond?.(one);
  const db = new Database(folder.db);
  try {
    db.pragma("foreign_keys = OFF");
    db.exec(`BEGIN; ${change}`);
    return wrongWebhooks({ db, known: KNOWN, notebook, inbox });
  } finally {
    db.close();
  }
}

const DELIVERY =
  "SELECT d.seq FROM deliveries d JOIN endpoints p ON p.seq = d.endpoint_seq JOIN events e ON e.seq = d.event_seq";
const remove = (where: string) => `DELETE FROM deliveries WHERE seq = (${DELIVERY} WHERE ${where} LIMIT 1)`;
const set = (values: string, where: string) =>
  `UPDATE deliveries SET ${values} WHERE seq = (${DELIVERY} WHERE ${where} LIMIT 1)`;
const again = `INSERT INTO deliveries SELECT 1000, 'again', book_id, event_seq, endpoint_seq, NULL, 'PENDING', 0, 15, 1, 0, NULL,
  NULL, NULL, NULL, NULL, created_at, updated_at FROM deliveries WHERE seq = 1`;

describe("correct webhooks", () => {
  it("have no findings", () => {
    expect(got).toHaveLength(4);
    expect(wrongWith({})).toEqual([]);
  });

  it("may have arrived twice when a resend was requested", () => {
    const notebook = notes();
    const db = new Database(folder.db, { readonly: true });
    notebook.resent.add(String(db.prepare("SELECT id FROM deliveries WHERE seq = 1").pluck().get()));
    db.close();
    expect(wrongWith({ change: again, notebook })).toEqual([]);
  });
});

describe("one wrong fact", () => {
  it.each<[string, string, string]>([
    ["an event that the forward target was never sent", remove("p.origin = 'forward'"), "never went to http"],
    ["an event that an address of its own was never sent", remove("p.private = 1"), "never went to http"],
    [
      "an address of its own that is not there",
      "DELETE FROM endpoints WHERE private = 1",
      "never went to its own address",
    ],
    [
      "an event that went past an address of its own",
      "UPDATE transactions SET webhook_url = 'x'",
      "of a payment with an address",
    ],
    ["an event that is sent twice", again, "went 2 times to"],
    [
      "an event that an endpoint wanted and never got",
      remove("p.url LIKE '%crash-a'"),
      "went 0 times to endpoint crash-a",
    ],
    ["a webhook of no delivery", remove("1"), "was sent and is not there"],
    ["a webhook that says something else", "UPDATE events SET data = '{}'", "carried something else than event"],
    ["a delivery that nobody has taken", set("id = 'x'", "1"), "delivery x is DELIVERED and was never taken"],
    [
      "a delivery that was given up early",
      set("status = 'FAILED'", "1"),
      "is FAILED and was refused less than 15 times",
    ],
  ])("%s is found", (_what, change, told) => {
    expect(wrongWith({ change })).toContainEqual(expect.stringContaining(told));
  });

  it("is found when an endpoint gets an event that it did not subscribe to", () => {
    const notebook = notes();
    notebook.subscriptions.clear();
    expect(wrongWith({ notebook })).toEqual([expect.stringContaining("crash-a, which never wanted it")]);
  });

  it("is found when the database has a delivery as arrived that no receiver accepted", () => {
    expect(wrongWith({ refuses: true })).toContainEqual(expect.stringContaining("was never taken"));
  });

  it("is found when the signature was not made with the secret", () => {
    const notebook = notes();
    notebook.secrets.set("forward", new Set(["another"]));
    expect(wrongWith({ notebook })).toContainEqual(expect.stringContaining("to forward has no good signature"));
  });

  it("is found when a delivery has another body than before", () => {
    const [first] = got;
    if (first === undefined) throw new Error("nothing came");
    const other = { ...first, raw: first.raw.replace(/}$/, " }") };
    const wrong = wrongWith({ received: [...got, other] });
    expect(wrong).toContainEqual(expect.stringContaining("carried another body than before"));
  });
});
