import type { HttpRequest } from "../client/send.js";
import { EXIT } from "./exit-codes.js";
import { Failure } from "./failure.js";
import type { GlobalFlags } from "./request.js";

const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * A change with a live key, or to a host that is not this machine, must be meant: it needs `--yes`.
 * Throws Failure (exit 2) before anything is sent.
 */
export function requireConsent(request: HttpRequest, flags: GlobalFlags): void {
  if (request.method === "GET" || flags.yes) return;
  const { hostname, host } = new URL(request.url);
  const live = request.headers.apikey?.startsWith("qa_live_") ?? false;
  const remote = !LOOPBACK.test(hostname);
  if (!live && !remote) return;
  const why = live ? "with a live key" : "on a host that is not this machine";
  throw new Failure(
    EXIT.usage,
    "confirmation_required",
    `This would change something ${why} (${host}).`,
    undefined,
    "Add --yes to say that you mean it.",
  );
}
