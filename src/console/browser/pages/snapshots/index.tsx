import type { OperationAnswer } from "../../../../client/types.js";
import { fill } from "../../../../kernel/message.js";
import { useFileAddress } from "../../api/files.js";
import { useCall } from "../../api/use-call.js";
import { Actions } from "../../parts/action.js";
import { Empty } from "../../parts/empty.js";
import { Dotted, Items } from "../../parts/items.js";
import { MoreActions } from "../../parts/more-actions.js";
import { Page, Section, Show } from "../../parts/page.js";
import { Time } from "../../parts/values.js";
import { act } from "../../resource/act.js";
import { menuWords } from "../../shell/menu.js";
import { language, texts } from "../../state/language.js";
import { sizeText } from "../../words/size.js";
import { longTime, shortTime } from "../../words/time.js";
import { Upload } from "./upload.js";

/** Snapshots of the whole server: what they hold, and ways to save, restore, hand on and delete them. */

const words = texts("snapshots");

type Snapshot = OperationAnswer<"sandbox.snapshots.list">["data"][number];

const SHOWN = 100;

const KINDS = ["accounts", "charges", "refunds", "payouts", "med_cases", "events", "deliveries", "emails"] as const;

function contentsOf({ counts }: Snapshot): string {
  if (counts === null) return words.value.damaged;
  const held = KINDS.filter((kind) => counts[kind] > 0);
  return held.map((kind) => `${words.value[kind]}: ${counts[kind]}`).join(", ");
}

function SnapshotItem({ snapshot, onChange }: { snapshot: Snapshot; onChange: () => void }) {
  const { name, created_at: createdAt, now, size, file } = snapshot;
  const { value } = words;
  const address = useFileAddress(`/files/snapshot/${encodeURIComponent(name)}`);
  const saved = Date.parse(createdAt);
  const params = { name };
  /** What a restore takes away, and to what it leads. */
  const loss = (
    <>
      <p>{value.lost}</p>
      <p>
        {value.holds} {contentsOf(snapshot)}.
      </p>
      {now === null ? null : (
        <p>
          {value.clock_back} <Time at={now} />.
        </p>
      )}
    </>
  );
  return (
    <li class="rule">
      <div>
        <h3>{name}</h3>
        <p class="hint">
          <Dotted
            of={[
              <span title={longTime(saved, language.value)}>
                {value.when}: {shortTime(saved, language.value)}
              </span>,
              now && (
                <>
                  {value.clock}: <Time at={now} />
                </>
              ),
              `${sizeText(size, language.value)}${file === null ? ` (${value.in_memory})` : ""}`,
            ]}
          />
        </p>
        <p class="hint">{contentsOf(snapshot)}</p>
      </div>
      <Actions label={name}>
        {act("sandbox.snapshots.restore", {
          label: value.restore,
          title: fill(value.restore_title, { name }),
          params,
          text: loss,
          offersSnapshot: true,
          disabled: snapshot.counts === null ? value.damaged : null,
          done: () => fill(value.restored, { name }),
        })}
        <a
          class="button"
          {...(address === undefined ? { role: "link", "aria-disabled": "true" } : { href: address })}
          download={`${name}.db`}
          title={value.secrets}
        >
          {value.download}
        </a>
        {act("sandbox.snapshots.delete", {
          label: value.delete,
          title: fill(value.delete_title, { name }),
          kind: "danger",
          params,
          text: value.delete_text,
          done: () => {
            onChange();
            return fill(value.deleted, { name });
          },
        })}
      </Actions>
    </li>
  );
}

function headActions(onDone: () => void) {
  const { value } = words;
  const said = (text: string) => {
    onDone();
    return text;
  };
  return (
    <Actions>
      {act("sandbox.snapshots.save", {
        label: value.save,
        title: value.save_title,
        kind: "main",
        ask: [{ name: "name", hint: value.name_hint }],
        done: ({ name }) => said(fill(value.saved, { name })),
      })}
      <MoreActions
        label=""
        of={[
          act("sandbox.reset", {
            label: value.reset,
            kind: "danger",
            text: value.reset_text,
            offersSnapshot: true,
            done: () => said(value.reset_done),
          }),
        ]}
      />
    </Actions>
  );
}

export function Snapshots() {
  const query = { limit: SHOWN };
  const empty = <Empty text={words.value.empty} command="qa-pay sandbox snapshots save before-refund" />;
  const { state, reload } = useCall("sandbox.snapshots.list", { query }, { on: ["snapshot"] });
  return (
    <Page
      title={menuWords.value.snapshots}
      command={{ id: "sandbox.snapshots.list", input: { query } }}
      line={`${words.value.intro} ${words.value.secrets}`}
      actions={headActions(reload)}
    >
      <Section title={menuWords.value.snapshots}>
        <Show of={state.value}>
          {({ data, has_more: hasMore }) => (
            <>
              <Items of={data} none={empty} class="rules">
                {(snapshot) => <SnapshotItem key={snapshot.name} snapshot={snapshot} onChange={reload} />}
              </Items>
              {hasMore ? <p class="hint">{fill(words.value.more, { count: data.length })}</p> : null}
            </>
          )}
        </Show>
      </Section>
      <Upload onDone={reload} />
    </Page>
  );
}
