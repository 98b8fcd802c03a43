import { useLocation } from "preact-iso/router";
import { useCall } from "../../api/use-call.js";
import { Page, Skeleton } from "../../parts/page.js";
import { Problem } from "../../parts/why.js";
import { menuWords } from "../../shell/menu.js";
import { texts } from "../../state/language.js";
import { CHANGES_DUE } from "../../words/due-work.js";
import { DueWork } from "../overview/due.js";
import { Balances, Currencies } from "./balances.js";
import { LedgerCheck } from "./check.js";
import { Journals } from "./journals.js";

const words = texts("wallets");

const PRIMARY = "BRL";

/** The wallet and the ledger behind it, of one currency. */
export function Wallets({ id }: { id?: string }) {
  const currency = id ?? PRIMARY;
  const { reference } = useLocation().query;
  const held = useCall("sandbox.ledger.balances", {}, { on: ["journal"] }).state.value;
  const latest = useCall("sandbox.ledger.list", { query: { currency, limit: "100" } }, { on: ["journal"] }).state.value;
  const due = useCall("sandbox.clock.due", { query: { limit: 100 } }, { on: [...CHANGES_DUE, "journal"] }).state.value;
  const balances = held.data?.data ?? [];
  const currencies = [...new Set([PRIMARY, ...balances.map((one) => one.currency), currency])];
  const failed = [held, latest, due].find(({ error }) => error !== null);
  const listed = { query: { currency, ...(reference === undefined ? {} : { reference }) } };
  const command =
    id === undefined && reference === undefined
      ? { id: "sandbox.ledger.balances" as const, input: {} }
      : { id: "sandbox.ledger.list" as const, input: listed };
  return (
    <Page title={menuWords.value.wallets} command={command}>
      {failed?.error && <Problem of={failed.error} retry={failed.retry} />}
      {/* Together, so that nothing moves while it comes. */}
      {held.data === null || latest.data === null || due.data === null ? (
        failed === undefined && <Skeleton />
      ) : (
        <>
          <Currencies all={currencies} open={currency} />
          <Balances currency={currency} balances={balances} />
          <DueWork
            title={words.value.holds}
            entries={due.data.data.filter(({ kind }) => kind === "wallet.release")}
            all={due.data.data}
            none={words.value.no_holds}
          />
          <LedgerCheck newest={latest.data.data[0]?.id ?? "0"} />
          <Journals currency={currency} balances={balances} latest={latest.data} />
        </>
      )}
    </Page>
  );
}
