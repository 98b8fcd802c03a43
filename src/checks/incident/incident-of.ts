import { iso } from "../../base/kernel/time.js";
import type { CapturedCharge, Incident } from "./file.js";
import { maskStory, withoutKeys } from "./mask.js";

interface Saving {
  /** The host that showed the charge. */
  readonly host: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly keepPersonalData: boolean;
  /** The invented values follow from this secret. It is not kept, so that nobody can compute the real values. */
  readonly secret: string;
}

/** Returns the incident for the facts of a host: without keys and, unless they are to be kept, without personal data. */
export async function incidentOf(
  { kind, shows, missing, subject, summary, rows }: CapturedCharge,
  { host, now, keepPersonalData, secret }: Saving,
): Promise<Incident> {
  const source = { kind, host, saved_at: iso(now), shows, missing };
  const clean = withoutKeys({ rows, summary });
  if (keepPersonalData) return { source: { ...source, personal_data: "kept" }, subject, ...clean };
  const { qrBase64 } = await import("../../base/pix/qr.js");
  return { source: { ...source, personal_data: "replaced" }, subject, ...maskStory(clean, secret, qrBase64) };
}
