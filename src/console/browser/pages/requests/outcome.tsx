import type { OperationAnswer } from "../../../../client/types.js";
import { HttpStatus, Status, type Tone } from "../../parts/values.js";
import { terms, texts } from "../../state/language.js";

const words = texts("requests");

export type Logged = OperationAnswer<"sandbox.requests.get">;

const KEY_TONES: Readonly<Record<string, Tone>> = { new: "plain", replayed: "wait", conflict: "bad" };

interface OutcomeProps {
  readonly status: number;
  readonly code: string | null;
  /** The id of the fault rule that hit the request. */
  readonly fault?: string | null;
}

/** The status of a request with its error code. Status 0 is a connection that was cut. */
export function Outcome({ status, code, fault = null }: OutcomeProps) {
  return (
    <span class="outcome-line">
      {status === 0 ? (
        <Status status="0" tone="bad">
          {words.value.cut}
        </Status>
      ) : (
        <HttpStatus status={status} />
      )}{" "}
      {code}
      {fault === null ? null : (
        <span title={fault}>
          <Status status={terms.value.fault} tone="warn" />
        </span>
      )}
    </span>
  );
}

/** What became of the idempotency key. */
export function KeyOutcome({ of }: { of: Logged["idempotency"] }) {
  if (of === null) return null;
  return (
    <Status status={of} tone={KEY_TONES[of] ?? "plain"}>
      {words.value[`idempotency_${of}`]}
    </Status>
  );
}
