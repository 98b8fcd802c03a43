import { useLocation } from "preact-iso/router";
import { Views } from "../../parts/views.js";
import { texts } from "../../state/language.js";

const words = texts("med");

/** The cases as a list or as a board, and the e-mails about them. */
export function MedViews() {
  const { view } = useLocation().query;
  const { views, list, board, emails: mail } = words.value;
  const open = view === "board" || view === "mail" ? view : "list";
  return <Views label={views} names={{ list, board, mail }} open={open} own={["kind", "case_id", "status", "type"]} />;
}
