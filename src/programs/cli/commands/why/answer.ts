import type { GlobalFlags } from "../../../../api/client/flags.js";
import { isJsonObject } from "../../../../base/kernel/json.js";
import { isLoopbackUrl } from "../../../../base/kernel/loopback.js";
import { pick } from "../../../../base/kernel/pick.js";
import { joinWords, t, type Words } from "../../../../base/kernel/wording.js";
import { findCause, mayBeOrder } from "../../../../checks/why/causes.js";
import { type Elsewhere, notHereText } from "../../../../checks/why/elsewhere.js";
import { sentencesText } from "../../../../checks/why/finding.js";
import type { WhyHost } from "../../../../checks/why/host.js";
import { isSameHost } from "../../host/address.js";
import type { Connection } from "../../host/connection.js";
import { keyMode } from "../../host/keys.js";
import { getWithKey, isEmulator, refusalOfHost, signingSecretOf } from "../../host/read.js";
import { sendThrough } from "../../host/send.js";
import { findHint } from "../../operation/find-hint.js";
import { parsePastedId } from "../../operation/pasted-id.js";
import { listProfiles } from "../../profiles/profiles.js";
import { runningServersText } from "../../project/running-servers.js";
import { EXIT, Failure, jsonOf } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { commandLine } from "../../terminal/program-command.js";

/** Finds the cause of an object's state at the chosen host, with the same reads as every command. */

/** The object or the bare list at an address; null for a 404. Throws Failure for any other refusal. */
async function read<Answer extends object>(connection: Connection, address: string): Promise<Answer | null> {
  const { status, text } = await getWithKey(connection, address);
  if (status === 404) return null;
  if (status !== 200) throw refusalOfHost(connection, status, text);
  const value = jsonOf(text);
  return isJsonObject(value) || Array.isArray(value) ? (value as Answer) : null;
}

/** The secrets of an endpoint of an emulator: its own, and the one before the last rotation. */
async function secretsOf(connection: Connection, id: string): Promise<unknown[]> {
  const headers = { apikey: connection.credential.apiKey ?? "", accept: "application/json" };
  const url = `${connection.host.url}/_sandbox/webhooks/endpoints/${id}/reveal`;
  const { status, text } = await sendThrough(connection.policy, { method: "POST", url, headers, body: undefined });
  return status === 200 ? ["secret", "previous_secret"].map((name) => pick(jsonOf(text), name)) : [];
}

/**
 * True if a webhook may be sent to a receiver again to prove its mistake: not through a read-only profile, and not for an emulator on
 * another machine, because the receiver's address may lead to another program here.
 */
const mayProve = ({ host, policy }: Connection) => policy.readOnly === undefined && isLoopbackUrl(host.url);

/** The other places that a person may have meant: profiles, and servers of this user. Nothing is sent to them. */
async function otherPlaces(io: Io, { host }: Connection): Promise<Words[]> {
  const others = Object.entries(listProfiles(io).profiles).filter(
    ([, { base_url: url }]) => !isSameHost(url, host.url),
  );
  const names = others.map(([name, { base_url: url }]) => `${name} (${url})`).join(", ");
  const servers = await runningServersText(io, host.url);
  return [
    ...(names === "" ? [] : [t`Other hosts are named with --profile: ${names}.`]),
    ...(servers === "" ? [] : [servers]),
  ];
}

/** The book that an emulator names in its 404, because it knows those of all modes and accounts. */
function elsewhereIn(text: string): Elsewhere | null {
  const details: unknown = pick(jsonOf(text), "error.details");
  const detail = (param: string) => {
    const found = Array.isArray(details) ? details.find((one) => pick(one, "param") === param) : undefined;
    return typeof pick(found, "message") === "string" ? String(pick(found, "message")) : null;
  };
  const mode = detail("mode");
  return mode === null ? null : { mode, account: detail("account") };
}

/** The failure for an id that the host does not have, with the places where it may be. */
async function notFound(io: Io, connection: Connection, id: string, isOfEmulator: boolean): Promise<Failure> {
  const find = mayBeOrder(id) ? [findHint(id, connection)] : [];
  const others = [...find, ...(await otherPlaces(io, connection))];
  const failure = (message: Words, hints: readonly Words[]) =>
    new Failure(EXIT.notFound, "not_found", message, hints.length === 0 ? undefined : joinWords(hints, "\n"));
  if (isOfEmulator) {
    const { text } = await getWithKey(connection, `/_sandbox/why/${encodeURIComponent(id)}`);
    const elsewhere = elsewhereIn(text);
    return failure(notHereText(id, elsewhere), elsewhere === null ? others : []);
  }
  const mode = keyMode(connection.credential.apiKey);
  return failure(t`This host does not know ${id}.`, [
    mayBeOrder(id)
      ? t`None of the newest 2,000 payments has this order. An id begins with ch_, tx_, rf_, po_, wd_, evt_ or med_.`
      : t`On this host, refunds, payouts and events are found only by their webhooks, and requests in your own log.`,
    ...(mode === null ? [] : [t`The key is of ${mode} mode, and sees nothing of the other mode.`]),
    ...others,
  ]);
}

/** Finds the cause for an id in any form. `prove` allows a webhook to the receiver, unless the policy forbids it. */
export async function whyAnswer(
  io: Io,
  connection: Connection,
  flags: GlobalFlags,
  { given, prove }: { readonly given: string; readonly prove: boolean },
) {
  const id = parsePastedId(given, null, connection.host);
  const host: WhyHost = {
    isEmulator: await isEmulator(connection),
    read: (address) => read(connection, address),
    async mistakeOf(delivery, endpoints) {
      if (!prove || !mayProve(connection)) return null;
      const { provenMistake } = await import("../../../../checks/why/prove.js");
      const secrets = {
        ofAccount: () => signingSecretOf(connection),
        ofEndpoint: (one: string) => secretsOf(connection, one),
      };
      const proof = await provenMistake(delivery, endpoints, secrets, { real: io.real, insecureTls: false });
      return proof?.mistake ?? null;
    },
  };
  const found = await findCause(host, id);
  if (found === null) throw await notFound(io, connection, id, host.isEmulator);
  const { code, evidence, sentences, command } = found;
  const text = sentencesText({ sentences });
  const next = command === null ? null : commandLine(io.program, command, flags);
  const inEnglish = evidence.map(({ at, text: what }) => ({ at, text: String(what) }));
  return { json: { id: found.id, code, text, evidence: inEnglish, command: next }, sentences, evidence };
}
