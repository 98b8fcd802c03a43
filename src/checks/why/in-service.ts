import { findRoute } from "../../api/client/route.js";
import { queryOf } from "../../api/http/handler.js";
import { registry } from "../../api/registry.js";
import { SERVICE } from "../../base/kernel/cause.js";
import { ApiError } from "../../base/kernel/errors.js";
import type { AnyObject } from "../../base/kernel/json.js";
import type { Controls, ServedOperation } from "../../emulator/sandbox/control-interface.js";
import { MODES } from "../../service/features/access/catalogue.js";
import { type Caller, JsonText } from "../../service/features/operation.js";
import type { WhyControls } from "../../service/features/timeline/operations/sandbox-why.js";
import type { Reader } from "../../service/features/tx.js";
import { findCause, mayBeOrder } from "./causes.js";
import { type Elsewhere, notHereText } from "./elsewhere.js";
import { sentencesText } from "./finding.js";
import type { WhyHost } from "./host.js";
import { provenMistake } from "./prove.js";

/** Finds causes within the service. It calls the same operations that the command `why` reads by requests. */

const routes = registry.map((operation: ServedOperation) => {
  const { method, path } = operation.contract;
  return { method, path, operation };
});

interface WhyParts {
  readonly reader: () => Reader;
  readonly controls: Controls;
  /** How a webhook is sent to a receiver. */
  readonly sending: Parameters<typeof provenMistake>[3];
}

function answerOf({ execution }: ServedOperation, input: AnyObject, { reader, controls }: WhyParts): unknown {
  const all = { params: {}, query: {}, body: {}, cause: SERVICE, ...input } as Parameters<typeof execution.handle>[0];
  if (execution.kind === "read") return execution.handle(all, reader());
  return execution.kind === "control" ? execution.handle(all, controls) : null;
}

/** Returns the answer of the operation at an address. Throws ApiError. */
async function ask(parts: WhyParts, caller: Caller, address: string, method = "GET") {
  const { pathname, search } = new URL(address, "http://localhost");
  const found = findRoute(routes, method, pathname);
  if (found === null) throw new Error(`nothing answers ${pathname}`);
  const { operation } = found.route;
  const query = queryOf(operation.contract)(search);
  const answer = await answerOf(operation, { caller, params: found.params, query }, parts);
  return JSON.parse(answer instanceof JsonText ? answer.json : JSON.stringify(answer));
}

function hostFor(parts: WhyParts, caller: Caller): WhyHost {
  return {
    isEmulator: true,
    // An object that is not there is null.
    read: (address: string) =>
      ask(parts, caller, address).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }),
    // No trials here, because nobody requested that something be sent.
    mistakeOf: () => Promise.resolve(null),
  };
}

/** The book of another mode or account that has an id; null when none has it. */
async function findElsewhere(parts: WhyParts, caller: Caller, id: string): Promise<Elsewhere | null> {
  const { accounts } = parts.reader();
  // An order is looked for in many payments, so only in those of the same account.
  const owners = mayBeOrder(id) ? [] : accounts.otherThan(caller.accountId);
  const places = [
    ...MODES.filter((mode) => mode !== caller.mode).map((mode) => ({ accountId: caller.accountId, mode })),
    ...owners.flatMap((owner) => MODES.map((mode) => ({ accountId: owner.id, mode }))),
  ];
  for (const { accountId, mode } of places) {
    const book = accounts.book(accountId, mode);
    if (book === null) continue;
    const other: Caller = { bookId: book.id, accountId, mode, user: null };
    if ((await findCause(hostFor(parts, other), id)) === null) continue;
    const isOwn = accountId === caller.accountId;
    return { mode, account: isOwn ? null : `${accountId} (${accounts.byId(accountId)?.name})` };
  }
  return null;
}

/** The 404 for an id that the caller's book does not have. Its details name the mode and the account that have it. */
async function notFoundHere(parts: WhyParts, caller: Caller, id: string): Promise<ApiError> {
  const found = await findElsewhere(parts, caller, id);
  const named = Object.entries(found ?? {}).filter(([, value]) => value !== null);
  const details = named.map(([param, message]) => ({ param, message: String(message) }));
  const message = String(notHereText(id, found));
  return new ApiError("not_found", { message, ...(details.length > 0 && { details }) });
}

/** Returns the same finding as the command `why`, read in the service itself and not over the network. */
export async function findWhy(parts: WhyParts, caller: Caller, id: string): ReturnType<WhyControls["why"]> {
  const found = await findCause(hostFor(parts, caller), id);
  if (found === null) throw await notFoundHere(parts, caller, id);
  const { sentences, evidence, command, code } = found;
  const next = command === null ? null : `qa-pay ${command.join(" ")}`;
  return {
    id: found.id,
    code,
    text: sentencesText(found),
    command: next,
    sentences: [...sentences],
    evidence: evidence.map(({ at, text }) => ({ at, text: String(text) })),
  };
}

/** Proves the mistake of a delivery's receiver with the service's own secrets, by webhooks to the receiver. */
export async function findMistake(
  parts: WhyParts,
  caller: Caller,
  id: string,
): ReturnType<WhyControls["proveMistake"]> {
  const delivery = await ask(parts, caller, `/_sandbox/webhooks/deliveries/${encodeURIComponent(id)}`);
  const { data: endpoints } = await ask(parts, caller, "/v1/webhooks/endpoints");
  const secrets = {
    ofAccount: async () => (await ask(parts, caller, "/_sandbox/account")).signing_secret,
    async ofEndpoint(one: string) {
      const revealed = await ask(parts, caller, `/_sandbox/webhooks/endpoints/${one}/reveal`, "POST");
      return [revealed.secret, revealed.previous_secret];
    },
  };
  const proof = await provenMistake(delivery, endpoints, secrets, parts.sending);
  if (proof === null) return { id: delivery.id, proof: null };
  const { mistake, right, accepted, text: signed, signed: receiver_signed } = proof;
  const { code, params } = mistake;
  const text = sentencesText({ sentences: [mistake] });
  return { id: delivery.id, proof: { code, params, text, right, accepted, signed, receiver_signed } };
}
