import type { OperationAnswer } from "../../../../client/types.js";
import { fill } from "../../../../kernel/message.js";
import { useFileAddress } from "../../api/files.js";
import { useCall } from "../../api/use-call.js";
import { Actions, FormAction } from "../../parts/action.js";
import { Empty } from "../../parts/empty.js";
import { Facts, Page, Section, Show } from "../../parts/page.js";
import { Time } from "../../parts/values.js";
import { menuWords } from "../../shell/menu.js";
import { language, terms, texts } from "../../state/language.js";
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

/** What a restore takes away, and to what it leads. */
function Loss({ snapshot }: { snapshot: Snapshot }) {
  return (
    <>
      <p>{words.value.lost}</p>
      <p>
        {words.value.holds} {contentsOf(snapshot)}.
      </p>
      {snapshot.now === null ? null : (
        <p>
          {words.value.clock_back} <Time at={snapshot.now} />.
        </p>
      )}
    </>
  );
}

function SnapshotItem({ snapshot, onChange }: { snapshot: Snapshot; onChange: () => void }) {
  const { name, created_at: createdAt, now, size, file } = snapshot;
  const address = useFileAddress(`/files/snapshot/${encodeURIComponent(name)}`);
  const input = () => ({ params: { name } });
  return (
    <li>
      <h3>{name}</h3>
      <Facts
        of={[
          [
            words.value.when,
            <span title={longTime(Date.parse(createdAt), language.value)}>
              {shortTime(Date.parse(createdAt), language.value)}
            </span>,
          ],
          [words.value.clock, now === null ? null : <Time at={now} />],
          [words.value.contents, contentsOf(snapshot)],
          [words.value.size, `${sizeText(size, language.value)}${file === null ? ` (${words.value.in_memory})` : ""}`],
        ]}
      />
      <Actions label={name}>
        <FormAction
          id="sandbox.snapshots.restore"
          label={words.value.restore}
          title={fill(words.value.restore_title, { name })}
          kind="main"
          text={<Loss snapshot={snapshot} />}
          fields={[]}
          input={input}
          offersSnapshot={true}
          disabled={snapshot.counts === null ? words.value.damaged : null}
          done={() => fill(words.value.restored, { name })}
        />
        {address === undefined ? null : (
          <a class="button" href={address} download={`${name}.db`} title={words.value.secrets}>
            {words.value.download}
          </a>
        )}
        <FormAction
          id="sandbox.snapshots.delete"
          label={words.value.delete}
          title={fill(words.value.delete_title, { name })}
          kind="danger"
          text={words.value.delete_text}
          fields={[]}
          input={input}
          done={() => {
            onChange();
            return fill(words.value.deleted, { name });
          }}
        />
      </Actions>
    </li>
  );
}

function Save({ onDone }: { onDone: () => void }) {
  return (
    <Actions>
      <FormAction
        id="sandbox.snapshots.save"
        label={words.value.save}
        title={words.value.save_title}
        kind="main"
        fields={[{ name: "name", label: terms.value.name, hint: words.value.name_hint, required: true }]}
        input={({ name }) => ({ body: { name } })}
        done={({ name }) => {
          onDone();
          return fill(words.value.saved, { name });
        }}
      />
      <FormAction
        id="sandbox.reset"
        label={words.value.reset}
        kind="danger"
        text={words.value.reset_text}
        fields={[]}
        input={() => ({})}
        offersSnapshot={true}
        done={() => {
          onDone();
          return words.value.reset_done;
        }}
      />
    </Actions>
  );
}

export function Snapshots() {
  const query = { limit: SHOWN };
  const { state, reload } = useCall("sandbox.snapshots.list", { query }, { on: ["snapshot"] });
  return (
    <Page title={menuWords.value.snapshots} command={{ id: "sandbox.snapshots.list", input: { query } }}>
      <p class="hint">
        {words.value.intro} {words.value.secrets}
      </p>
      <Save onDone={reload} />
      <Section title={menuWords.value.snapshots}>
        <Show of={state.value}>
          {({ data, has_more: hasMore }) =>
            data.length === 0 ? (
              <Empty text={words.value.empty} command="qa-pay sandbox snapshots save before-refund" />
            ) : (
              <>
                <ul class="plain rules">
                  {data.map((snapshot) => (
                    <SnapshotItem key={snapshot.name} snapshot={snapshot} onChange={reload} />
                  ))}
                </ul>
                {hasMore ? <p class="hint">{fill(words.value.more, { count: data.length })}</p> : null}
              </>
            )
          }
        </Show>
      </Section>
      <Upload onDone={reload} />
    </Page>
  );
}
