import { ApiError } from "../../base/kernel/errors.js";
import { isSameText } from "../../base/kernel/same-text.js";
import { type Answer, type Exchange, header, jsonAnswer } from "./exchange.js";

/** The routes by which commands of the user who started this server recognize it and stop it, without an API key. */
export interface ServerOwner {
  /** The id of this start. It is public: a file of `serve` names it. */
  readonly instance: string;
  /** Created at this start. Only files of the user contain it. */
  readonly secret: string;
  /** Begins to stop the server. */
  stop(): void;
}

/** GET: the start of the server. Throws `not_found` on a server that a program started. */
export function showServer(owner: ServerOwner | undefined): Answer {
  if (owner === undefined) throw new ApiError("not_found");
  return jsonAnswer(200, JSON.stringify({ instance: owner.instance }));
}

/** POST: stops this server for callers who know its secret. The secret ends with it, so a repetition is harmless. */
export function stopServer(owner: ServerOwner | undefined, { request }: Exchange): Answer {
  if (owner === undefined) throw new ApiError("not_found");
  const given = header(request, "authorization") ?? "";
  if (!isSameText(given, `Bearer ${owner.secret}`)) throw new ApiError("unauthorized");
  owner.stop();
  return jsonAnswer(202, "{}");
}
