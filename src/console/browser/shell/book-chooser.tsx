import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { useCall } from "../api/use-call.js";
import { MenuButton, type MenuItem } from "../parts/menu.js";
import { type Book, book, withBook } from "../state/book.js";
import { texts } from "../state/language.js";
import { menuWords } from "./menu.js";

const words = texts("book_chooser");

/** Writes the chosen book into the address, so that a link to this page shows the same book. */
function useBookInAddress(): void {
  const { path, query, route } = useLocation();
  useEffect(
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
  const { state } = useCall("sandbox.accounts.list", { query: {} }, { on: ["transaction"] });
  const accounts = state.value.data?.data ?? [];
  const { account, mode } = book.value;
  const first = accounts.at(-1)?.id ?? "";
  const chosen = account === "" ? first : account;
  const choose = (part: Partial<Book>) => {
    book.value = { ...book.value, ...part };
  };
  const items: MenuItem[] = [
    ...accounts.map(({ id, name }) => ({
      key: id,
      label: name,
      isChosen: id === chosen,
      run: () => choose({ account: id === first ? "" : id }),
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
      <span class="book-name">{accounts.find(({ id }) => id === chosen)?.name}</span>
      <span class={mode === "live" ? "book-mode book-live" : "book-mode"}>{words.value[mode]}</span>
    </MenuButton>
  );
}
