import { Views } from "../../parts/views.js";
import { texts } from "../../state/language.js";

const words = texts("webhooks");

/** The two lists of the page. The type of event is a filter of both; all other filters are of one. */
export function WebhookViews({ open }: { open: "delivery" | "event" }) {
  const { views, delivery, event } = words.value;
  return <Views label={views} names={{ delivery, event }} open={open} own={["status", "endpoint", "subject"]} />;
}
