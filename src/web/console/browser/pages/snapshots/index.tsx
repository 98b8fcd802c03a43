import { useSignal } from "@preact/signals";
import type { OperationAnswer } from "../../../../../api/client/types.js";
import { fill } from "../../../../../base/kernel/message.js";
import { namesOf } from "../../../../../base/kernel/names.js";
import { uploadSnapshot, useFileAddress } from "../../api/files.js";
import { isSettled, useCall } from "../../api/use-call.js";
import { Actions } from "../../parts/action.js";
import { Empty } from "../../parts/empty.js";
import { Field } from "../../parts/fields.js";
import { FileButton } from "../../parts/file-button.js";
import { Dotted, Items } from "../../parts/items.js";
import { MoreActions } from "../../parts/more-actions.js";
import { OutcomeText, useOutcome } from "../../parts/outcome.js";
import { Page, Section, Show } from "../../parts/page.js";
import { Time } from "../../parts/values.js";
import { Problem } from "../../parts/why.js";
import { shared } from "../../parts/words.js";
import { act } from "../../resource/act.js";
import { menuWords } from "../../shell/menu.js";
import { connection } from "../../state/connection.js";
import { language, terms, texts } from "../../state/language.js";
import { sizeText } from "../../words/size.js";
import { longTime, shortTime } from "../../words/time.js";
import { ScenarioViews } from "../scenarios/views.js";

/** Snapshots of the whole server: their contents, and ways to save, restore, export and delete them. */

const words = texts("snapshots");

/** `before.db` as the name `before`. */
function nameOf(file: string): string {
  return file.replace(/\.\w+$/, "").replace(/[^\w.-]/g, "-");
}

/** A form that sends a file as a snapshot. */
function Upload({ onDone }: { onDone: () => void }) {
  const file = useSignal<File | null>(null);
  const name = useSignal("");
  const { outcome, run } = useOutcome();
  const upload = async (as: string, chosen: File) => {
    await uploadSnapshot(as, chosen);
    onDone();
    return fill(words.value.uploaded, { name: as });
  };
  const send = () => {
    const [as, chosen] = [name.value.trim(), file.value];
    if (chosen === null || as === "") outcome.value = { isGood: false, content: words.value.choose_both };
    else void run(() => upload(as, chosen));
  };
  return (
    <Section title={words.value.upload_title}>
      <form
        class="flow"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <div>
          <FileButton
            label={file.value?.name ?? shared.value.choose_file}
            onFiles={([chosen]) => {
              file.value = chosen ?? null;
              if (chosen !== undefined && name.value === "") name.value = nameOf(chosen.name);
            }}
          />
        </div>
        <Field
          spec={{ name: "name", label: terms.value.name }}
          text={name.value}
          problem={null}
          onText={(text) => {
            name.value = text;
          }}
        />
        <button type="submit" disabled={!connection.isWorking}>
          {words.value.upload}
        </button>
      </form>
      <p class="hint">
        {words.value.by_command} <code>qa-pay sandbox snapshots import before-refund before-refund.db</code>
      </p>
      <OutcomeText of={outcome} />
    </Section>
  );
}

type Snapshot = OperationAnswer<"sandbox.snapshots.list">["data"][number];

const SHOWN = 100;

/** The objects of a save point by their kind. */
function Contents({ of: { counts } }: { of: Snapshot }) {
  if (counts === null) return <p class="hint">{words.value.damaged}</p>;
  return (
    <ul class="flow names">
      {namesOf(counts)
        .filter((kind) => counts[kind] > 0)
        .map((kind) => (
          <li key={kind}>
            {words.value[kind]} <b>{counts[kind]}</b>
          </li>
        ))}
    </ul>
  );
}

/** The data that a restore removes, and the state after it. */
function Loss({ of }: { of: Snapshot }) {
  return (
    <>
      <p>{words.value.lost}</p>
      <p>{words.value.holds}</p>
      <Contents of={of} />
      {of.now === null ? null : (
        <p>
          {words.value.clock_back} <Time at={of.now} />.
        </p>
      )}
    </>
  );
}

function SnapshotItem({ snapshot, onChange }: { snapshot: Snapshot; onChange: () => void }) {
  const { name, created_at: createdAt, now, size, file } = snapshot;
  const { address, error, retry } = useFileAddress(`/files/snapshot/${encodeURIComponent(name)}`);
  const saved = Date.parse(createdAt);
  const params = { name };
  return (
    <li class="rule">
      <div class="stack">
        <h3>{name}</h3>
        <p class="hint">
          <Dotted
            of={[
              <span title={longTime(saved, language.value)}>
                {words.value.when}: {shortTime(saved, language.value)}
              </span>,
              now && (
                <>
                  {words.value.clock}: <Time at={now} />
                </>
              ),
              `${sizeText(size, language.value)}${file === null ? ` (${words.value.in_memory})` : ""}`,
            ]}
          />
        </p>
        <Contents of={snapshot} />
        {error === null ? null : <Problem of={error} retry={retry} />}
      </div>
      <Actions label={name}>
        {act("sandbox.snapshots.restore", {
          label: words.value.restore,
          title: fill(words.value.restore_title, { name }),
          params,
          text: <Loss of={snapshot} />,
          offersSnapshot: true,
          disabled: snapshot.counts === null ? words.value.damaged : null,
          done: () => fill(words.value.restored, { name }),
        })}
        <a
          class="button"
          {...(address === undefined ? { role: "link", "aria-disabled": "true" } : { href: address })}
          download={`${name}.db`}
          title={words.value.secrets}
        >
          {words.value.download}
        </a>
        {act("sandbox.snapshots.delete", {
          label: words.value.delete,
          title: fill(words.value.delete_title, { name }),
          kind: "danger",
          params,
          text: words.value.delete_text,
          done: () => {
            onChange();
            return fill(words.value.deleted, { name });
          },
        })}
      </Actions>
    </li>
  );
}

function headActions(onDone: () => void) {
  const said = (text: string) => {
    onDone();
    return text;
  };
  return (
    <Actions>
      {act("sandbox.snapshots.save", {
        label: words.value.save,
        title: words.value.save_title,
        kind: "main",
        ask: [{ name: "name", hint: words.value.name_hint }],
        done: ({ name }) => said(fill(words.value.saved, { name })),
      })}
      <MoreActions
        label=""
        of={[
          act("sandbox.reset", {
            label: words.value.reset,
            kind: "danger",
            text: words.value.reset_text,
            offersSnapshot: true,
            done: () => said(words.value.reset_done),
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
      title={menuWords.value.scenarios}
      views={<ScenarioViews open="snapshots" />}
      command={{ id: "sandbox.snapshots.list", input: { query } }}
      line={words.value.intro}
      actions={headActions(reload)}
    >
      <Section title={words.value.title}>
        <Show of={state.value}>
          {({ data, has_more: hasMore }) => (
            <>
              <Items of={data} none={empty} class="rules">
                {(snapshot) => <SnapshotItem key={snapshot.name} snapshot={snapshot} onChange={reload} />}
              </Items>
              {hasMore ? <p class="hint">{fill(words.value.more, { count: data.length })}</p> : null}
              {data.length === 0 ? null : <p class="hint">{words.value.secrets}</p>}
            </>
          )}
        </Show>
      </Section>
      {isSettled(state.value) ? <Upload onDone={reload} /> : null}
    </Page>
  );
}
