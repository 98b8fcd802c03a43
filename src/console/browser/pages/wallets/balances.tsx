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

interface BucketsProps {
  readonly names: readonly Bucket[];
  readonly currency: string;
  readonly balances: readonly BucketBalance[];
}

function Buckets({ names, currency, balances }: BucketsProps) {
  const balanceOf = (name: Bucket) =>
    balances.find((one) => one.bucket === name && one.currency === currency)?.balance ?? 0;
  return (
    <dl class={names === OF_WALLET ? "buckets buckets-main" : "buckets"}>
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
}

export function Balances({ currency, balances }: Omit<BucketsProps, "names">) {
  return (
    <>
      <Section title={words.value.wallet}>
        <Buckets names={OF_WALLET} currency={currency} balances={balances} />
        {balances.length === 0 ? <p class="hint">{words.value.empty_money}</p> : null}
      </Section>
      <Section title={words.value.outside}>
        <Buckets names={BUCKETS.filter((name) => !OF_WALLET.includes(name))} currency={currency} balances={balances} />
      </Section>
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
