import { useLocation } from "preact-iso/router";
import { withBook } from "../state/book.js";

/** The address of this page with other parameters; empty ones are left out. */
export function useAddressWith(): (changed: Readonly<Record<string, string>>) => string {
  const { path, query } = useLocation();
  return (changed) => {
    const next = new URLSearchParams(query);
    for (const [name, text] of Object.entries(changed)) {
      if (text === "") next.delete(name);
      else next.set(name, text);
    }
    return next.size === 0 ? path : `${path}?${next}`;
  };
}

/** The parameters of an address that belong to the object. All others belong to the list beside it. */
const OF_OBJECT: readonly string[] = ["tab", "at", "hide", "attempt"];

/** Builds addresses inside a list and its objects: the filters of the list are kept. */
export function useListAddress(): (path: string) => string {
  const { query } = useLocation();
  const kept = Object.entries(query).filter(([name]) => !OF_OBJECT.includes(name));
  return (path) => {
    const url = new URL(withBook(path), location.origin);
    for (const [name, text] of kept) url.searchParams.set(name, text);
    return url.pathname + url.search;
  };
}
