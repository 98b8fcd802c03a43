import { iso } from "../../base/kernel/time.js";
import type { CapturedCharge, Incident } from "./file.js";
import { masked, withoutKeys } from "./mask.js";

interface Saving {
  /** The host that told of the charge. */
  readonly host: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly keepPersonalData: boolean;
  /** The made-up values follow from it. It is forgotten, so nobody finds the real ones again. */
  readonly secret: string;
}

/** The incident of what a host told: without keys, and without what is of persons unless that is kept. */
export async function incidentOf(
  { kind, shows, missing, subject, summary, rows }: CapturedCharge,
  { host, now, keepPersonalData, secret }: Saving,
): Promise<Incident> {
  const source = { kind, host, saved_at: iso(now), shows, missing };
  const clean = withoutKeys({ rows, summary });
  if (keepPersonalData) return { source: { ...source, personal_data: "kept" }, subject, ...clean };
  const { qrBase64 } = await import("../../base/pix/qr.js");
  return { source: { ...source, personal_data: "replaced" }, subject, ...masked(clean, secret, qrBase64) };
}
