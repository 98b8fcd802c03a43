import { effect } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { fill } from "../../../../base/kernel/message.js";
import { tryAgain } from "../api/live.js";
import { useAccounts } from "../api/use-accounts.js";
import { useAddressWith } from "../parts/list-address.js";
import { MenuButton, type MenuItem } from "../parts/menu.js";
import { TryAgain } from "../parts/why.js";
import { type Book, book, withBook } from "../state/book.js";
import { connection } from "../state/connection.js";
import { language, texts } from "../state/language.js";
import { shortTime } from "../words/time.js";
import { menuWords } from "./menu.js";

/** Parts of the head: the chosen book and the connection. */

const bookWords = texts("book_chooser");

/**
 * Writes the chosen book into the address, so that a link to this page shows the same book. It knows the address of a
 * page before it is drawn: a book chosen at once would otherwise lead back to the previous page.
 */
function useBookInAddress(): void {
  const { path, query, route } = useLocation();
  const address = useAddressWith();
  useLayoutEffect(
    () =>
      effect(() => {
        const { account, mode } = book.value;
        const wanted = { account, mode: mode === "live" ? mode : "" };
        const isThere = (query.account ?? "") === wanted.account && (query.mode ?? "") === wanted.mode;
        if (!isThere) route(address(wanted), true);
      }),
    [path, JSON.stringify(query)],
  );
}

/** Chooses the account and the mode whose objects the console shows. */
export function BookChooser() {
  useBookInAddress();
  const { accounts, first, chosen } = useAccounts();
  const { mode } = book.value;
  const choose = (part: Partial<Book>) => {
    book.value = { ...book.value, ...part };
  };
  const items: MenuItem[] = [
    ...accounts.map(({ id, name }) => ({
      key: id,
      label: name,
      isChosen: id === chosen?.id,
      run: () => choose({ account: id === first?.id ? "" : id }),
    })),
    ...(["test", "live"] as const).map((one) => ({
      key: one,
      label: bookWords.value[one],
      isChosen: one === mode,
      isApart: one === "test",
      run: () => choose({ mode: one }),
    })),
    {
      key: "accounts",
      label: menuWords.value.accounts,
      icon: "users",
      isApart: true,
      href: withBook("/console/accounts"),
    },
    { key: "settings", label: menuWords.value.settings, icon: "settings", href: withBook("/console/settings") },
  ];
  return (
    <MenuButton class="quiet book" title={bookWords.value.choose} items={items}>
      <span class="cut book-name">{chosen?.name}</span>
      <span class={mode === "live" ? "book-mode warn" : "book-mode"}>{bookWords.value[mode]}</span>
    </MenuButton>
  );
}

const connectionWords = texts("connection_mark");

/** A working connection is a dot; a broken one has a word. */
export function ConnectionMark() {
  const { state } = connection.current.value;
  const name = connectionWords.value[state];
  return (
    <span
      class={`connection connection-${connection.isWorking ? state : "cut"}`}
      role="img"
      aria-label={name}
      title={name}
    >
      {connection.isWorking ? null : name}
    </span>
  );
}

/** The steps while there is no connection. All data that was read stays readable. */
export function ConnectionBanner() {
  const current = connection.current.value;
  if (!("since" in current)) return <div role="status" />;
  const { session, cut } = connectionWords.value;
  const since = shortTime(current.since, language.value);
  return (
    <div role="status" class="flow banner bad problem-line">
      <span>
        {current.state === "logged out" ? session : fill(cut, { since, address: location.host })}{" "}
        <code>qa-pay console</code>
      </span>
      <TryAgain run={tryAgain} />
    </div>
  );
}
