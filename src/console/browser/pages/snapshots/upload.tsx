import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { fill } from "../../../../kernel/message.js";
import { uploadSnapshot } from "../../api/files.js";
import { Field } from "../../parts/fields.js";
import { FileButton } from "../../parts/file-button.js";
import { Section } from "../../parts/page.js";
import { Refused } from "../../parts/why.js";
import { shared } from "../../parts/words.js";
import { connection } from "../../state/connection.js";
import { terms, texts } from "../../state/language.js";

const words = texts("snapshots");

/** `before.db` as the name `before`. */
function nameOf(file: string): string {
  return file.replace(/\.\w+$/, "").replace(/[^\w.-]/g, "-");
}

interface Outcome {
  readonly isGood: boolean;
  readonly text: ComponentChildren;
}

async function sendFile(name: string, file: File | null): Promise<Outcome> {
  if (file === null || name === "") return { isGood: false, text: words.value.choose_both };
  try {
    await uploadSnapshot(name, file);
    return { isGood: true, text: fill(words.value.uploaded, { name }) };
  } catch (thrown) {
    return { isGood: false, text: <Refused of={thrown} /> };
  }
}

/** A form that sends a file as a snapshot. */
export function Upload({ onDone }: { onDone: () => void }) {
  const file = useSignal<File | null>(null);
  const name = useSignal("");
  const outcome = useSignal<Outcome | null>(null);
  const send = async () => {
    outcome.value = { isGood: true, text: shared.value.running };
    outcome.value = await sendFile(name.value.trim(), file.value);
    if (outcome.value.isGood) onDone();
  };
  return (
    <Section title={words.value.upload_title}>
      <form
        class="one-line"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
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
      <output class={outcome.value?.isGood === false ? "outcome outcome-bad" : "outcome"}>{outcome.value?.text}</output>
    </Section>
  );
}
