import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { useCall } from "../api/use-call.js";
import { type Book, book } from "../state/book.js";
import { texts } from "../state/language.js";

const words = texts({ account: "Account", mode: "Mode" }, { account: "Conta", mode: "Modo" });

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
  const choose = (part: Partial<Book>) => {
    book.value = { ...book.value, ...part };
  };
  const first = accounts.at(-1)?.id ?? "";
  return (
    <span class="book">
      {accounts.length > 1 ? (
        <select
          aria-label={words.value.account}
          value={book.value.account === "" ? first : book.value.account}
          onChange={({ currentTarget: { value } }) => choose({ account: value === first ? "" : value })}
        >
          {accounts.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      ) : (
        <span class="book-name">{accounts[0]?.name}</span>
      )}
      <select
        aria-label={words.value.mode}
        value={book.value.mode}
        onChange={({ currentTarget: { value } }) => choose({ mode: value === "live" ? "live" : "test" })}
      >
        <option value="test">test</option>
        <option value="live">live</option>
      </select>
    </span>
  );
}
