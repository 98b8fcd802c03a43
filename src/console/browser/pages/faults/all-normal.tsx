import { useSignal } from "@preact/signals";
import { callAny } from "../../api/call.js";
import { Why } from "../../parts/why.js";
import { connection } from "../../state/connection.js";
import { language, texts } from "../../state/language.js";
import { chaosNames } from "./sentences.js";

const words = texts("faults_all_normal");

/** Removes all fault rules and turns webhook chaos off: two operations, so that it is no Action. */
export function AllNormal() {
  const problem = useSignal<unknown>(null);
  const run = async () => {
    try {
      await callAny("sandbox.faults.clear", {});
      await callAny("sandbox.chaos", { body: Object.fromEntries(chaosNames(language.value).map((name) => [name, 0])) });
      problem.value = null;
    } catch (thrown) {
      problem.value = thrown;
    }
  };
  return (
    <>
      <button type="button" onClick={() => void run()} disabled={!connection.isWorking}>
        {words.value.label}
      </button>
      {problem.value === null ? null : (
        <output class="outcome outcome-bad">
          <Why of={problem.value} />
        </output>
      )}
    </>
  );
}
