import { book } from "../state/book.js";
import { isSettled, useCall } from "./use-call.js";

/** The accounts of the emulator, newest first, and the one whose book is shown: by default the first one. */
export function useAccounts() {
  const { value } = useCall("sandbox.accounts.list", { query: { limit: 100 } }, { on: ["transaction"] }).state;
  const accounts = value.data?.data ?? [];
  const first = accounts.at(-1);
  const { account } = book.value;
  const chosen = account === "" ? first : accounts.find(({ id }) => id === account);
  return { accounts, first, chosen, isRead: isSettled(value) };
}
