import { useLocation } from "preact-iso/router";
import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import { BUCKETS, type Bucket } from "../../../../../service/features/wallets/entries.js";
import { useCall } from "../../api/use-call.js";
import { Actions } from "../../parts/action.js";
import { codeName } from "../../parts/codes.js";
import { Page, Section } from "../../parts/page.js";
import { Money } from "../../parts/values.js";
import { NotRead } from "../../parts/why.js";
import { act } from "../../resource/act.js";
import { menuWords } from "../../shell/menu.js";
import { withBook } from "../../state/book.js";
import { language, terms, texts } from "../../state/language.js";
import { CHANGES_DUE, DUE, type Due } from "../../words/due-work.js";
import { problemText } from "../../words/service-texts.js";
import { DueWork } from "./due.js";
import { Journals, useJournals } from "./journals.js";
import type { BucketBalance } from "./running.js";

const words = texts("wallets");

/** The content and the purpose of each bucket of a currency. */

const OF_WALLET: readonly Bucket[] = ["available", "retained", "pending"];

interface BalancesProps {
  readonly currency: string;
  readonly balances: readonly BucketBalance[];
  /** Those of the wallet, or the others. */
  readonly part: "main" | "others";
}

function Balances({ currency, balances, part }: BalancesProps) {
  const balanceOf = (name: Bucket) =>
    balances.find((one) => one.bucket === name && one.currency === currency)?.balance ?? 0;
  const buckets = (names: readonly Bucket[], kind: string) => (
    <dl class={kind}>
      {names.map((name) => (
        <div key={name}>
          <dt title={name}>{codeName(name)}</dt>
          <dd class={name === "available" ? "headline-number" : "bucket-amount"}>
            <Money amount={balanceOf(name)} currency={currency} />
          </dd>
          <dd class="hint">{words.value.buckets[name]}</dd>
        </div>
      ))}
    </dl>
  );
  const isOutside = (name: Bucket) => !OF_WALLET.includes(name);
  return part === "main" ? (
    <Section title={words.value.wallet}>{buckets(OF_WALLET, "buckets buckets-main")}</Section>
  ) : (
    <details class="sheet section">
      <summary>{words.value.outside}</summary>
      {buckets(BUCKETS.filter(isOutside), "buckets")}
    </details>
  );
}

/** When pending money becomes available; nothing if none waits. */
function Releases({ of: due }: { of: readonly Due[] }) {
  const entries = due.filter(({ kind }) => kind === "wallet.release");
  if (entries.length === 0) return null;
  return <DueWork title={words.value.holds} entries={entries} all={due} none="" />;
}

/** Links to the pages of the other currencies; nothing if there is only one. */
function Currencies({ all, open }: { all: readonly string[]; open: string }) {
  if (all.length < 2) return null;
  return (
    <nav class="flow tabs" aria-label={terms.value.currency}>
      {all.map((one) => (
        <a key={one} href={withBook(`/console/wallets/${one}`)} aria-current={one === open ? "page" : undefined}>
          {one}
        </a>
      ))}
    </nav>
  );
}

/** The check that all money adds up. */

/** A check reads everything. With more journals than this it is started by its button. */
const LIVE_UP_TO = 2_000;

function Verdict({ ok, journals, problems }: OperationAnswer<"sandbox.ledger.check">) {
  if (ok) return <>{fill(words.value.adds_up, { count: journals })}</>;
  return (
    <>
      {words.value.not_up}
      <ul>
        {problems.map((problem) => (
          <li key={problem.text}>{problemText(problem, language.value)}</li>
        ))}
      </ul>
    </>
  );
}

/** `newest` is the id of the newest journal. Ids count up, so it is the maximum of their number. */
function LedgerCheck({ newest }: { newest: string }) {
  const isSmall = Number(newest) <= LIVE_UP_TO;
  const { state } = useCall("sandbox.ledger.check", { query: {} }, { on: ["journal"], when: isSmall });
  const live = isSmall ? state.value.data : null;
  return (
    <div class="flow">
      {isSmall && live === null ? (
        // Its place is as large before it is read, so that nothing moves then.
        <div class="status unread">{fill(words.value.adds_up, { count: Number(newest) })}</div>
      ) : null}
      {live === null ? null : (
        <div class={live.ok ? "status status-good" : "outcome outcome-bad"} title={words.value.check_about}>
          <Verdict {...live} />
        </div>
      )}
      <Actions label={words.value.check}>
        {act("sandbox.ledger.check", {
          label: words.value.check_now,
          kind: "small",
          done: (answer) => <Verdict {...answer} />,
        })}
      </Actions>
    </div>
  );
}

const PRIMARY = "BRL";

/** The wallet and the ledger behind it, of one currency. */
export function Wallets({ id }: { id?: string }) {
  const currency = id ?? PRIMARY;
  const { reference } = useLocation().query;
  const held = useCall("sandbox.ledger.balances", {}, { on: ["journal"] }).state.value;
  const latest = useCall("sandbox.ledger.list", { query: { currency, limit: "100" } }, { on: ["journal"] }).state.value;
  const due = useCall("sandbox.clock.due", DUE, { on: [...CHANGES_DUE, "journal"] }).state.value;
  const listed = { currency, ...(reference === undefined ? {} : { reference }) };
  const list = useJournals(listed);
  const { rows, isLoading, error } = list.state.value;
  // The list of one object says itself why it cannot be read.
  const isListRead = rows.length > 0 || reference !== undefined || (!isLoading && error === null);
  const journals = { ...list.state.value, data: isListRead ? rows : null };
  const balances = held.data?.data ?? [];
  const currencies = [...new Set([PRIMARY, ...balances.map((one) => one.currency), currency])];
  const command =
    id === undefined && reference === undefined
      ? { id: "sandbox.ledger.balances" as const, input: {} }
      : { id: "sandbox.ledger.list" as const, input: { query: listed } };
  return (
    <Page title={menuWords.value.wallets} command={command} views={<Currencies all={currencies} open={currency} />}>
      {/* Shown together, so that nothing moves while parts arrive. */}
      {held.data === null || latest.data === null || due.data === null || !isListRead ? (
        <NotRead of={[held, latest, due, journals]} />
      ) : (
        <div class="stack columns">
          <aside class="stack side-column side-first" aria-label={words.value.wallet}>
            <Balances currency={currency} balances={balances} part="main" />
          </aside>
          <div class="stack main-column">
            <Releases of={due.data.data} />
            <Journals currency={currency} balances={balances} latest={latest.data} list={list} />
          </div>
          <aside class="stack side-column" aria-label={words.value.outside}>
            <Balances currency={currency} balances={balances} part="others" />
            <Section title={words.value.check}>
              <LedgerCheck newest={latest.data.data[0]?.id ?? "0"} />
            </Section>
          </aside>
        </div>
      )}
    </Page>
  );
}
