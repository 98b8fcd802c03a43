import { ApiError } from "../kernel/errors.js";
import { isSameText } from "../kernel/same-text.js";
import { serverProof } from "../kernel/server-proof.js";
import { type Answer, type Exchange, jsonAnswer } from "./exchange.js";

/** By which the commands of the user who started this server recognize it and stop it, without an API key. */
export interface ServerOwner {
  /** Made at this start. Only files of the user have it besides. */
  readonly secret: string;
  /** Begins to stop the server. */
  stop(): void;
}

/** A command makes its challenge of a UUID. */
const CHALLENGE = /^[\w-]{16,64}$/;

/** Throws `not_found` when nobody can recognize this server, as on one that a program started. */
function challengeOf(owner: ServerOwner | undefined, query: URLSearchParams): [ServerOwner, challenge: string] {
  if (owner === undefined) throw new ApiError("not_found");
  const challenge = query.get("challenge") ?? "";
  if (CHALLENGE.test(challenge)) return [owner, challenge];
  throw new ApiError("invalid_request", { message: "challenge must be 16 to 64 letters, digits, _ or -." });
}

/** GET: proves that this server knows the secret of its start. `url` is the address of this server. */
export function proveServer(given: ServerOwner | undefined, url: string, { search }: Exchange): Answer {
  const [owner, challenge] = challengeOf(given, new URLSearchParams(search));
  return jsonAnswer(200, JSON.stringify({ proof: serverProof(owner.secret, "server", url, challenge) }));
}

/**
 * POST: stops this server for somebody who proves to know the secret. The secret ends with the server, so a repetition is
 * harmless.
 */
export function stopServer(given: ServerOwner | undefined, url: string, { search }: Exchange): Answer {
  const query = new URLSearchParams(search);
  const [owner, challenge] = challengeOf(given, query);
  const expected = serverProof(owner.secret, "stop", url, challenge);
  if (!isSameText(query.get("proof") ?? "", expected)) throw new ApiError("unauthorized");
  owner.stop();
  return jsonAnswer(202, "{}");
}
