import { Views } from "../../parts/views.js";
import { texts } from "../../state/language.js";

const words = texts("scenarios");

/** What can be run, what was done here, the saved states, and the run of `qa-pay survive`. */
export function ScenarioViews({ open }: { open: "run" | "record" | "snapshots" | "survive" }) {
  const { views, view_run: run, view_record: record, view_snapshots: snapshots, view_survive: survive } = words.value;
  return <Views label={views} names={{ run, record, snapshots, survive }} open={open} />;
}
