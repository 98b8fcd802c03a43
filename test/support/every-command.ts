import { type IncomingMessage, request } from "node:http";
import type { operations } from "../../src/cli/tree/command-tree.js";
import type { Contract } from "../../src/kernel/contract.js";
import { registry } from "../../src/registry.js";
import { CALLS, type Call } from "./calls.js";
import type { Loose, TestEmulator } from "./emulator.js";
import { startHost } from "./running.js";

/** Every command that stands for an operation, written as a person would, and a wire that can be looked at. */

type Flags = string | ((body: Loose) => readonly string[]);

const CUSTOMER_FLAGS = (body: Loose) => [
  ...["--customer-id", body.customerId, "--customer-name", body.customerName],
  ...["--customer-document", body.customerDocument, "--customer-email", body.customerEmail],
  ...["--customer-phone", body.customerPhone],
];

/**
 * What stands behind words and ids to say what the operation's call in calls.ts says, in order of the flags in its
 * help. Values that have spaces, or are known only once the call is prepared, are taken from its body.
 */
export const FLAGS: Readonly<Record<string, Flags>> = {
  "charges create": ({ description, customer }) => [
    ...["--amount", "100", "--currency", "BRL", "--description", description, "--expires-in", "600"],
    ...["--customer-name", customer.name, "--customer-document", customer.document],
    ...["--customer-email", customer.email, "--customer-phone", customer.phone],
    ...["--expected-payer-tax-id", customer.document, "--metadata", '{"order":42}'],
  ],
  "charges get": "",
  "charges list": "--limit 2 --status pending",
  "wallets balance": "",
  "wallets list": "",
  "payments create": (body) => [
    ...["--amount", "100", "--currency", "EUR", "--payment-methods", "MBWAY", ...CUSTOMER_FLAGS(body)],
    ...["--metadata", '{"phone":"+351912345678"}', "--webhook-url", body.webhookUrl],
  ],
  "payments list": "--limit 2 --sort-by amount --sort-order asc",
  "payments stats": "--days 2",
  "payments metrics": "--days 2 --currency BRL",
  "payments get": "",
  "payments refund": ({ reason, destinationKey }) => [
    ...["--amount", "5", "--reason", reason, "--strategy", "cashout"],
    ...["--pass-fee-to-tenant", "true", "--destination-key", destinationKey],
  ],
  "payments refunds": "",
  "payments cancel": "",
  "payments resend-webhook": "",
  "payments provider-status": "",
  "payments receipt": "",
  "webhooks endpoints create": ({ url }) => ["--url", url, "--events", "charge.paid"],
  "webhooks endpoints list": "",
  "webhooks endpoints update": ({ url }) => [
    ...["--url", url, "--events", "charge.created,charge.paid", "--status", "ACTIVE"],
  ],
  "webhooks endpoints delete": "",
  "webhooks endpoints rotate-secret": "",
  "webhooks events": "",
  "webhooks deliveries": "--status PENDING --event-type charge.created --limit 2 --offset 0",
  "webhooks stats": "",
  "med list": "--limit 2 --status appealed --type med",
  "med get": "",
  "med appeal": ({ reason }) => ["--reason", reason],
  "med accept": "",
  "med evidence list": "",
  "med evidence upload": "--file-name nota.pdf --file-size 5 --mime-type application/pdf",
  "med evidence complete": "",
  "keys issue": "--label ci --test",
  "keys list": "",
  "keys rotate": "--label next",
  "keys revoke": "",
  "sandbox pay": (body) => [
    ...["--amount", "1990", "--payer-name", body.payer_name, "--payer-document", body.payer_document],
    ...["--method", "PIX"],
  ],
  "sandbox fail": ({ reason }) => ["--reason", reason, "--provider-error-code", "AC06"],
  "sandbox expire": "",
  "sandbox review": "--decision approve",
  "sandbox refunds advance": "--to FAILED",
  "sandbox med open": (body) => [
    ...["--charge-id", body.charge_id, "--type", "chargeback", "--amount", "5", "--reason", body.reason],
    ...["--method", "scam", "--response-deadline", "2100-01-01T00:00:00.000Z"],
  ],
  "sandbox med decide": "--outcome upheld",
  "sandbox med withdraw": "",
  "sandbox med request-evidence": "",
  "sandbox payouts create": ({ pix_key: key }) => [
    ...["--amount", "100", "--currency", "BRL", "--pix-key", key, "--pix-key-type", "CPF", "--overdraw", "true"],
  ],
  "sandbox payouts pay": "",
  "sandbox payouts fail": ({ reason }) => ["--reason", reason],
  "sandbox clock show": "",
  "sandbox clock advance": "--seconds 0",
  "sandbox clock freeze": "",
  "sandbox clock resume": "",
  "sandbox faults list": "",
  "sandbox faults add":
    "--match-method PATCH --match-path /v1/none --effect-status 503 --effect-retry-after 1 --times 1",
  "sandbox faults remove": "",
  "sandbox faults clear": "",
  "sandbox chaos": "--duplicate 0 --reorder 0 --delay-ms 0 --corrupt-signature 0 --stale-timestamp 0",
  "sandbox deliveries resend": "",
  "sandbox events": "--limit 5 --type charge.created",
  "sandbox requests": "--limit 5 --method POST --path /v1/charges --status 201",
  "sandbox emails": "--limit 5 --mime true",
  "sandbox audit": "--limit 5 --action api_key.issued",
  "sandbox account": "",
  "sandbox accounts create": ({ name }) => ["--name", name],
  "sandbox snapshots list": "--limit 5",
  "sandbox snapshots save": "",
  "sandbox snapshots restore": "",
  "sandbox reset": "",
};

export type OperationSpec = (typeof operations)[number];

export const contracts: readonly Contract[] = registry.map(({ contract }) => contract as Contract);

export function contractOf(spec: OperationSpec): Contract {
  const found = contracts.find(({ cli }) => cli?.command === spec.command);
  if (found === undefined) throw new Error(`${spec.command} stands for no operation`);
  return found;
}

/** A command line that succeeds, and the call that it stands for. */
export interface Prepared {
  readonly call: Call;
  readonly words: readonly string[];
  readonly ids: readonly string[];
  readonly flags: readonly string[];
}

/** Makes the objects that a command needs. What an earlier command left behind and would be felt is taken back. */
export async function prepare(emulator: TestEmulator, spec: OperationSpec): Promise<Prepared> {
  await emulator.call("DELETE", "/_sandbox/faults");
  await emulator.sandbox("/clock/freeze");
  const call = await CALLS[contractOf(spec).id as keyof typeof CALLS](emulator);
  const line = FLAGS[spec.command] ?? "";
  const body: Loose = call.body ?? {};
  return {
    call,
    words: spec.command.split(" "),
    ids: spec.arguments.map(({ name, field }) => String(field === undefined ? call[name as "id"] : body[field])),
    flags: typeof line === "string" ? line.split(" ").filter((word) => word !== "") : line(body),
  };
}

/** One request as it was on the wire, and what was answered. */
export interface Exchange {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  readonly status: number;
  readonly answer: Buffer;
}

/** A host that hands everything on to the emulator and remembers it. */
export interface Wire {
  readonly url: string;
  /** Since the last time that it was asked. */
  taken(): Exchange[];
  close(): Promise<void>;
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function handOn(target: string, { method, url, headers }: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  // The emulator answers to its own name only.
  const { host: _host, ...kept } = headers;
  return new Promise((done, fail) => {
    request(target + url, { ...(method === undefined ? {} : { method }), headers: kept, agent: false })
      .on("response", done)
      .on("error", fail)
      .end(body);
  });
}

/** `change` may say something else than the emulator answered. */
export async function startWire(
  emulator: TestEmulator,
  change: (answer: Buffer) => Buffer = (answer) => answer,
): Promise<Wire> {
  let seen: Exchange[] = [];
  const host = await startHost(async (incoming, outgoing) => {
    try {
      const { method = "", url = "", headers } = incoming;
      const body = await bytesOf(incoming);
      const answered = await handOn(emulator.url, incoming, body);
      const answer = await bytesOf(answered);
      const status = answered.statusCode ?? 0;
      // Whether it is an emulator at all is asked before every control route.
      if (url !== "/_sandbox" || status !== 200) {
        seen.push({ method, url, headers, body: body.toString(), status, answer });
      }
      const { "content-length": _length, ...others } = answered.headers;
      outgoing.writeHead(status, others).end(url === "/_sandbox" ? answer : change(answer));
    } catch (error) {
      outgoing.destroy(error instanceof Error ? error : undefined);
    }
  });
  return {
    ...host,
    taken() {
      const now = seen;
      seen = [];
      return now;
    },
  };
}
