import type { GlobalFlags } from "../../../api/client/flags.js";
import type { HttpRequest } from "../../../api/client/send.js";
import { isLoopbackUrl } from "../../../base/kernel/loopback.js";
import { counted, joinWords, t, Wording, type Words } from "../../../base/kernel/wording.js";
import { EXIT, Failure } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { say, textOf } from "../terminal/terminal-text.js";
import type { Policy } from "./connection.js";
import { isLiveKey } from "./keys.js";
import { requireWritable } from "./policy.js";
import { printRequest, printUnsentRequest } from "./print.js";

/** Requests a yes from the user before a request: no command may change real data by mistake. */

interface ConsentFlags extends GlobalFlags {
  /** The number of further requests that the same question covers. */
  readonly others?: number;
  /** A sentence that names what the request deletes or ends permanently. */
  readonly confirms?: string | undefined;
  /** True when the person chose the idempotency key, so that the request may be the repetition of one that was carried out. */
  readonly mayRepeat?: boolean;
  /** The whole question, for a request that is none of the service. */
  readonly asks?: Words;
}

/**
 * Every command must call this before it sends a request. Returns false with `--dry-run`, after it printed the request.
 * Throws Failure (exit 2) when the profile is read-only, or when the user does not confirm a change that needs a
 * confirmation.
 */
export async function mayBeSent(io: Io, policy: Policy, request: HttpRequest, flags: ConsentFlags): Promise<boolean> {
  if (flags.dryRun) {
    printUnsentRequest(io, request, flags.json === true);
    return false;
  }
  requireWritable(policy, request);
  await requireConsent(io, policy, request, flags);
  printRequest(io, request, flags);
  return true;
}

/**
 * Requires a confirmation for a change with a live key, or on a host that is not this machine. At a terminal the user
 * answers a question; a program must give `--yes`. A request with `confirms` on this machine needs an answer at a terminal
 * too, but a program needs no `--yes` for it. Throws Failure (exit 2) without the confirmation; nothing is sent then.
 */
async function requireConsent(io: Io, policy: Policy, request: HttpRequest, flags: ConsentFlags): Promise<void> {
  const { others = 0, confirms, asks } = flags;
  if (request.method === "GET" || flags.yes) return;
  const { host, pathname } = new URL(request.url);
  const live = isLiveKey(request.headers.apikey);
  const isTest = !live && isLoopbackUrl(request.url);
  if (isTest && (confirms === undefined || !io.isTerminal || flags.json || flags.quiet)) return;
  if (!io.isTerminal) {
    const why = live ? t`with a live key` : t`on a host that is not this machine`;
    const message = t`This would change something ${why} (${host}).`;
    const hint = t`Add --yes to confirm it, or --dry-run to see the request.`;
    throw new Failure(EXIT.usage, "confirmation_required", message, hint);
  }
  const place = isTest ? host : t`${host} (${live ? t`LIVE mode` : t`not this machine`})`;
  const what = t`${request.method} ${pathname} on ${place}`;
  // With --json a program reads standard error, so the line above the question is a part of it.
  if (!flags.json) io.err(say`${what}\n`);
  const more = others === 0 ? "?" : textOf(t`, and send ${counted(others, "more request")}?`);
  // Loaded only here, because most commands need no question.
  const options = { now: io.now(), mayRepeat: flags.mayRepeat === true };
  const ownQuestion = async () => (await import("../questions/question.js")).questionBefore(request, policy, options);
  const question = asks ?? (await ownQuestion()).replace(/\?$/, more);
  const first = [...(flags.json ? [t`${what}.`] : []), ...(confirms === undefined ? [] : [new Wording(confirms)])];
  if (await io.prompt.confirm(joinWords([...first, question], " "))) return;
  throw new Failure(EXIT.usage, "cancelled", t`Nothing was sent.`);
}
