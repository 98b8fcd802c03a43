import { useLocation } from "preact-iso/router";
import { ID_PREFIX } from "../../../../../base/kernel/ids.js";
import { Deliveries } from "../deliveries/index.js";
import { Events } from "../events/index.js";

/** The webhooks by delivery or by event: two lists of one page, and the pages of their objects. */
export function Webhooks({ id }: { id?: string }) {
  const { view } = useLocation().query;
  const isEvent = id === undefined ? view === "event" : id.startsWith(ID_PREFIX.event);
  const shown = id === undefined ? {} : { id };
  return isEvent ? <Events {...shown} /> : <Deliveries {...shown} />;
}
