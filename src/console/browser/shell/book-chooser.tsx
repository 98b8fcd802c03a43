import { effect } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { useAccounts } from "../api/use-accounts.js";
import { MenuButton, type MenuItem } from "../parts/menu.js";
import { type Book, book, withBook } from "../state/book.js";
import { texts } from "../state/language.js";
import { menuWords } from "./menu.js";

const words = texts("book_chooser");

/**
 * Writes the chosen book into the address, so that a link to this page shows the same book. It knows the address of a page before that
 * is drawn: a book that is chosen there at once would lead back to the page before.
 */
function useBookInAddress(): void {
  const { path, query, route } = useLocation();
  useLayoutEffect(
    () =>
      effect(() => {
        const { account, mode } = book.value;
        const wanted = new URLSearchParams(query);
        wanted.delete("account");
        wanted.delete("mode");
        if (account !== "") wanted.set("account", account);
        if (mode === "live") wanted.set("mode", mode);
        const before = new URLSearchParams(query);
        before.sort();
        const after = new URLSearchParams(wanted);
        after.sort();
        if (before.toString() !== after.toString()) route(wanted.size === 0 ? path : `${path}?${wanted}`, true);
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
      label: words.value[one],
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
  ];
  return (
    <MenuButton class="quiet book" title={words.value.choose} items={items}>
      <span class="book-name">{chosen?.name}</span>
      <span class={mode === "live" ? "book-mode book-live" : "book-mode"}>{words.value[mode]}</span>
    </MenuButton>
  );
}
