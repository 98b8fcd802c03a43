import { useSignal } from "@preact/signals";
import { fill } from "../../../../kernel/message.js";
import { uploadSnapshot } from "../../api/files.js";
import { Field } from "../../parts/fields.js";
import { FileButton } from "../../parts/file-button.js";
import { OutcomeText, useOutcome } from "../../parts/outcome.js";
import { Section } from "../../parts/page.js";
import { shared } from "../../parts/words.js";
import { connection } from "../../state/connection.js";
import { terms, texts } from "../../state/language.js";

const words = texts("snapshots");

/** `before.db` as the name `before`. */
function nameOf(file: string): string {
  return file.replace(/\.\w+$/, "").replace(/[^\w.-]/g, "-");
}

/** A form that sends a file as a snapshot. */
export function Upload({ onDone }: { onDone: () => void }) {
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
        class="one-line"
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
