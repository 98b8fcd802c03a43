import type { GlobalFlags } from "../../../../api/client/flags.js";
import { isJsonObject } from "../../../../base/kernel/json.js";
import { isLoopbackUrl } from "../../../../base/kernel/loopback.js";
import { pick } from "../../../../base/kernel/pick.js";
import { joinWords, t } from "../../../../base/kernel/wording.js";
import { findCause, isOtherText } from "../../../../checks/why/causes.js";
import { sentencesText } from "../../../../checks/why/finding.js";
import type { WhyHost } from "../../../../checks/why/host.js";
import type { Connection } from "../../host/connection.js";
import { getWithKey, isEmulator, refusalOfHost, signingSecretOf } from "../../host/read.js";
import { sendThrough } from "../../host/send.js";
import { parsePastedId } from "../../operation/pasted-id.js";
import { EXIT, Failure, jsonOf } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { commandLine } from "../../terminal/program-command.js";

/** Finds the cause of an object's state at the chosen host, with the same reads as every command. */

/** The object at an address; null for a 404. Throws Failure for any other refusal. */
async function read<Answer extends object>(connection: Connection, address: string): Promise<Answer | null> {
  const { status, text } = await getWithKey(connection, address);
  if (status === 404) return null;
  if (status !== 200) throw refusalOfHost(connection, status, text);
  const value = jsonOf(text);
  return isJsonObject(value) ? (value as Answer) : null;
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

const ORDER_UNKNOWN = t`None of the newest 2,000 payments has this order.`;

function notFound(id: string, isOfEmulator: boolean, isOther: boolean): Failure {
  const message = t`This host does not know ${id}.`;
  if (isOfEmulator)
    return new Failure(
      EXIT.notFound,
      "not_found",
      message,
      joinWords(
        [...(isOther ? [ORDER_UNKNOWN] : []), t`Does it belong to the other mode, or to another account?`],
        " ",
      ),
    );
  const hint = isOther
    ? joinWords(
        [
          ORDER_UNKNOWN,
          t`Only an emulator keeps a log of requests. An id of another kind begins with ch_, tx_, rf_, po_, wd_, evt_ or med_.`,
        ],
        " ",
      )
    : t`Does the key have the same mode? On this host, refunds, payouts and events are found only by their webhooks.`;
  return new Failure(EXIT.notFound, "not_found", message, hint);
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
  if (found === null) throw notFound(id, host.isEmulator, isOtherText(id));
  const { code, evidence, sentences, command } = found;
  const text = sentencesText({ sentences });
  const next = command === null ? null : commandLine(io.program, command, flags);
  const inEnglish = evidence.map(({ at, text: what }) => ({ at, text: String(what) }));
  return { json: { id: found.id, code, text, evidence: inEnglish, command: next }, sentences, evidence };
}
