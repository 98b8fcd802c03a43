import type { OperationAnswer } from "../../../../client/types.js";
import { HttpStatus, Status, type Tone } from "../../parts/values.js";
import { texts } from "../../state/language.js";

const words = texts("requests");

export type Logged = OperationAnswer<"sandbox.requests.get">;

const KEY_TONES: Readonly<Record<string, Tone>> = { new: "plain", replayed: "wait", conflict: "bad" };

/** The status of a request with its error code. Status 0 is a connection that was cut. */
export function Outcome({ status, code }: { status: number; code: string | null }) {
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
