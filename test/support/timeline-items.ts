import type { Item } from "../../src/web/console/browser/timeline/model.js";

/** An item of a timeline at a second of it, which says its id. */
export function item(
  id: string,
  kind: Item["kind"],
  second: number,
  parent: string | null,
  data: Item["data"] = {},
): Item {
  const at = new Date(Date.UTC(2026, 10, 22, 10, 0, second)).toISOString();
  return {
    id,
    at,
    kind,
    code: "event",
    params: { type: id },
    text: id,
    cause: "a client",
    cause_code: "client",
    cause_params: {},
    parent,
    data,
  };
}
