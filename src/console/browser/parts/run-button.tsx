import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { connection } from "../state/connection.js";
import { Refused } from "./why.js";
import { shared } from "./words.js";

interface RunProps {
  readonly label: string;
  /** What it does, and then what to say about it. */
  readonly run: () => Promise<ComponentChildren>;
  readonly kind?: "main" | "small";
}

/** A button for what takes several calls. It answers in its place. */
export function RunButton({ label, run, kind }: RunProps) {
  const outcome = useSignal<{ readonly isGood: boolean; readonly content: ComponentChildren } | null>(null);
  const isRunning = useSignal(false);
  const isOff = isRunning.value || !connection.isWorking;
  const start = async () => {
    isRunning.value = true;
    outcome.value = { isGood: true, content: shared.value.running };
    try {
      outcome.value = { isGood: true, content: await run() };
    } catch (error) {
      outcome.value = { isGood: false, content: <Refused of={error} /> };
    } finally {
      isRunning.value = false;
    }
  };
  return (
    <div class="run">
      <button
        type="button"
        class={kind}
        aria-disabled={isOff ? "true" : undefined}
        title={connection.isWorking ? undefined : shared.value.cut_off}
        onClick={() => isOff || void start()}
      >
        {label}
      </button>
      <output class={outcome.value?.isGood === false ? "outcome outcome-bad" : "outcome"}>
        {outcome.value?.content}
      </output>
    </div>
  );
}
