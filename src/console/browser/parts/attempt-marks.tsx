import { attemptMarks } from "../words/delivery-facts.js";

/** The attempts of a delivery as marks: ✕ for a failed one, ✓ for the one that arrived. */
export function AttemptMarks({ status, attempts }: { status: string; attempts: number }) {
  const marks = attemptMarks({ status, attempts });
  const failed = marks.replace("✓", "");
  return (
    <span class="marks" aria-hidden="true">
      {failed === "" ? null : <span class="mark-bad">{failed}</span>}
      {marks.endsWith("✓") ? <span class="mark-good">✓</span> : null}
    </span>
  );
}
