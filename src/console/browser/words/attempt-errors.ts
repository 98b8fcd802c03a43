import type { OperationAnswer } from "../../../client/types.js";
import { pt } from "../texts/index.js";
import { perLanguage } from "./per-language.js";
import { serviceText, type TextTable } from "./service-text.js";

/** Why an attempt failed. What a network or a system says stays in its own words. */

type Attempt = OperationAnswer<"sandbox.deliveries.get">["attempts_log"][number];
export type AttemptFailure = Pick<Attempt, "error" | "error_code" | "error_params">;

const tableIn = perLanguage<TextTable<NonNullable<Attempt["error_code"]>>>(null, pt.attempt_errors);

export function attemptError(failure: AttemptFailure, language: Parameters<typeof tableIn>[0]): string {
  const { error, error_code: code, error_params: params } = failure;
  return code === null
    ? (error ?? "")
    : serviceText(tableIn(language), { code, params: params ?? {}, text: error ?? "" });
}
