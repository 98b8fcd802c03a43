import { BUCKETS, type Bucket } from "../../../../features/wallets/entries.js";
import { codeName } from "../../parts/codes.js";
import { Section } from "../../parts/page.js";
import { Money } from "../../parts/values.js";
import { withBook } from "../../state/book.js";
import { terms, texts } from "../../state/language.js";
import type { BucketBalance } from "./running.js";

/** What each bucket of a currency holds, with what it is for. */

const words = texts("wallets");

const OF_WALLET: readonly Bucket[] = ["available", "pending", "retained"];

export function Balances({ currency, balances }: { currency: string; balances: readonly BucketBalance[] }) {
  const balanceOf = (name: Bucket) =>
    balances.find((one) => one.bucket === name && one.currency === currency)?.balance ?? 0;
  const buckets = (names: readonly Bucket[], kind: string) => (
    <dl class={kind}>
      {names.map((name) => (
        <div key={name}>
          <dt title={name}>{codeName(name)}</dt>
          <dd class="bucket-amount">
            <Money amount={balanceOf(name)} currency={currency} />
          </dd>
          <dd class="hint">{words.value.buckets[name]}</dd>
        </div>
      ))}
    </dl>
  );
  const isOutside = (name: Bucket) => !OF_WALLET.includes(name);
  return (
    <>
      <Section title={words.value.wallet}>
        {buckets(OF_WALLET, "buckets buckets-main")}
        {balances.length === 0 ? <p class="hint">{words.value.empty_money}</p> : null}
      </Section>
      <Section title={words.value.outside}>{buckets(BUCKETS.filter(isOutside), "buckets")}</Section>
    </>
  );
}

/** Links to the pages of the other currencies; nothing while there is one alone. */
export function Currencies({ all, open }: { all: readonly string[]; open: string }) {
  if (all.length < 2) return null;
  return (
    <nav class="tabs" aria-label={terms.value.currency}>
      {all.map((one) => (
        <a key={one} href={withBook(`/console/wallets/${one}`)} aria-current={one === open ? "page" : undefined}>
          {one}
        </a>
      ))}
    </nav>
  );
}
