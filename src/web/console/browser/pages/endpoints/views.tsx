import { Views } from "../../parts/views.js";
import { texts } from "../../state/language.js";

const words = texts("endpoints");

/** The endpoints themselves, the check of a receiver, and the bench of a signature. */
export function EndpointViews({ open }: { open: "list" | "check" | "bench" }) {
  const { views, list, check, bench } = words.value;
  return <Views label={views} names={{ list, check, bench }} open={open} own={["endpoint"]} />;
}
