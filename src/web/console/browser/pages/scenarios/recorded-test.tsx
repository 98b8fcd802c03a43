import { useLayoutEffect, useRef } from "preact/hooks";
import { fill } from "../../../../../base/kernel/message.js";
import { routes } from "../../facts/routes.js";
import { texts } from "../../state/language.js";
import { notify } from "../../state/notice.js";
import { doneHere } from "../../state/recorder.js";
import { download } from "../../words/download.js";
import { shortId } from "../../words/short-id.js";
import { asTest, idsFromBefore } from "./recording.js";

/** The recording as the file of a test. */

const words = texts("scenarios");

export const TEST_FILE = "console.test.ts";

const saveWords = texts("recording");

function save(): void {
  download(TEST_FILE, "text/plain", recordedTest());
  notify(fill(saveWords.value.saved, { name: TEST_FILE }));
}

export function SaveTest() {
  return (
    <button type="button" class="main small" disabled={doneHere.value.length === 0} onClick={save}>
      {saveWords.value.save}
    </button>
  );
}

export const recordedTest = () => asTest(doneHere.value, routes, words.value.title);

/** The file, to which each step adds its lines. The latest ones are in sight. */
export function RecordedTest() {
  const place = useRef<HTMLPreElement>(null);
  const lines = recordedTest().trimEnd().split("\n");
  useLayoutEffect(() => {
    const { current } = place;
    current?.scrollTo({ top: current.scrollHeight });
  }, [lines.length]);
  const before = idsFromBefore(doneHere.value, routes);
  return (
    <>
      {before.length === 0 ? null : (
        <p class="hint" role="status">
          {fill(words.value.from_before, { ids: before.map(shortId).join(", ") })}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a long file. */}
      <pre ref={place} class="recorded" tabIndex={0}>
        {lines.map((line, index) => (
          <code key={`${index} ${line}`}>{`${line}\n`}</code>
        ))}
      </pre>
    </>
  );
}
