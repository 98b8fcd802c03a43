import { apiLine, flagWords, qaPayLine, type Repetition } from "../../../client/repeated-request.js";
import { shellWord } from "../../../kernel/shell.js";
import { sameCommand } from "../../operation/same-request.js";
import type { OperationSpec } from "../../tree/describe-operations.js";
import type { LoggedRequest } from "./logged-request.js";

const LOGIN = "This is a route for users: run `qa-pay login` first.";

/** The command among the given operations that sends the request again, else `qa-pay api`. */
export async function commandLine(
  entry: LoggedRequest,
  baseUrl: string,
  operations: readonly OperationSpec[],
): Promise<Repetition> {
  const { method, path, idempotency_key: idempotencyKey, request_headers: headers } = entry;
  const type = headers?.["content-type"] ?? "application/json";
  const fits = typeof entry.request_body !== "string" && type.startsWith("application/json");
  const same = fits ? await sameCommand({ method, path, body: entry.request_body, idempotencyKey }, operations) : null;
  if (same === null) return apiLine(entry, baseUrl);
  const words = [...same.words.map(shellWord), ...Object.entries(same.flags).flatMap(flagWords)];
  return qaPayLine(entry, words, baseUrl, { flags: [], advice: LOGIN });
}
