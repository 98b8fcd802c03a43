import { useSignal } from "@preact/signals";
import { useId, useRef } from "preact/hooks";
import { fill } from "../../../../base/kernel/message.js";
import { RecordedTest, recordedTest, SaveTest, TEST_FILE } from "../pages/scenarios/recorded-test.js";
import { Copy } from "../parts/copy.js";
import { Icon } from "../parts/icon.js";
import { withBook } from "../state/book.js";
import { texts } from "../state/language.js";
import { doneHere, forgetDone } from "../state/recorder.js";

/** The recording of this tab, in the head of every page: the number of its steps, and the test that they are. */

const words = texts("recording");
const scenarios = texts("scenarios");

export function Recording() {
  const count = doneHere.value.length;
  const isOpen = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const { value } = words;
  const close = () => {
    isOpen.value = false;
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={count === 0 ? "quiet recording" : "quiet recording recording-on"}
        aria-expanded={isOpen.value}
        aria-controls={isOpen.value ? id : undefined}
        title={value.about}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <span class="visually-hidden">{value.label}: </span>
        <span>
          {count}
          <span class="recording-word"> {fill(value.steps, { count })}</span>
        </span>
      </button>
      {isOpen.value ? (
        <aside
          id={id}
          class="sheet recording-sheet"
          aria-label={value.label}
          onKeyDown={({ key }) => {
            if (key === "Escape") close();
          }}
        >
          <div class="level dialog-head">
            <b>{TEST_FILE}</b>
            <button type="button" class="small quiet" aria-label={value.close} title={value.close} onClick={close}>
              <Icon name="x" />
            </button>
          </div>
          <p class="hint">{value.about}</p>
          <RecordedTest />
          <div class="flow">
            <SaveTest />
            <Copy text={recordedTest} />
            <button type="button" class="small quiet" disabled={count === 0} onClick={forgetDone}>
              {scenarios.value.forget}
            </button>
            <a href={withBook("/console/scenarios?view=record")}>{value.more}</a>
          </div>
        </aside>
      ) : null}
    </>
  );
}
