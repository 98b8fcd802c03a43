/** The pages that moved into another one, by the name in their old address. Links to them are in notes, scripts and bookmarks. */
const MOVED: Readonly<Record<string, string>> = {
  deliveries: "/console/webhooks",
  events: "/console/webhooks?view=event",
  receiver: "/console/endpoints?view=check",
  mail: "/console/med?view=mail",
  snapshots: "/console/scenarios?view=snapshots",
  survive: "/console/scenarios?view=survive",
};

export const MOVED_PAGES = Object.keys(MOVED);

/**
 * The present address of an old one, with its id and its filters; null for an address that has not moved. A view is one of a
 * list: the address of an object has none.
 */
export function movedTo(path: string, query: Readonly<Record<string, string>>): string | null {
  const [, , page = "", ...id] = path.split("/");
  const target = MOVED[page];
  if (target === undefined) return null;
  const own = id.filter((part) => part !== "").map((part) => `/${part}`);
  const url = new URL(target, "http://localhost");
  if (own.length > 0) url.searchParams.delete("view");
  for (const [name, text] of Object.entries(query)) url.searchParams.set(name, text);
  return `${url.pathname}${own.join("")}${url.search}`;
}
