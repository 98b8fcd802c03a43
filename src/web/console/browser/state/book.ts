import { signal } from "@preact/signals";

/** The account and mode that the console shows. The address has them when they are not the first account in test mode. */
export interface Book {
  /** Empty for the first account. */
  readonly account: string;
  readonly mode: "test" | "live";
}

function bookIn(search: string): Book {
  const query = new URLSearchParams(search);
  return { account: query.get("account") ?? "", mode: query.get("mode") === "live" ? "live" : "test" };
}

export const book = signal<Book>(bookIn(location.search));

/** The header by which the server knows the book of a call. An empty account is the first one. */
export function bookHeader({ account, mode }: Book): string {
  return `${account}:${mode}`;
}

/** Adds the book to an address inside the console. */
export function withBook(address: string): string {
  const { account, mode } = book.value;
  const url = new URL(address, location.origin);
  if (account !== "") url.searchParams.set("account", account);
  if (mode === "live") url.searchParams.set("mode", mode);
  return url.pathname + url.search;
}

/**
 * The shell variable for the key of a book; null for the test book of the first account, whose key the command line
 * finds by itself. The console does not know the keys.
 */
export function keyVariable({ account, mode }: Book): string | null {
  if (mode === "live") return "QA_PAY_LIVE_KEY";
  return account === "" ? null : "QA_PAY_API_KEY";
}
