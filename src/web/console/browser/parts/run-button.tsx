import type { ComponentChildren } from "preact";
import { connection } from "../state/connection.js";
import { OutcomeText, useOutcome } from "./outcome.js";
import { shared } from "./words.js";

interface RunProps {
  readonly label: string;
  /** Runs the action and returns the text about it. */
  readonly run: () => Promise<ComponentChildren>;
  readonly kind?: "main" | "small";
}

/** A button for an action of several calls. The result is shown in place. */
export function RunButton({ label, run, kind }: RunProps) {
  const { outcome, isRunning, run: start } = useOutcome();
  const isOff = isRunning.value || !connection.isWorking;
  return (
    <div class="stack run">
      <button
        type="button"
        class={kind}
        aria-disabled={isOff ? "true" : undefined}
        title={connection.isWorking ? undefined : shared.value.cut_off}
        onClick={() => isOff || void start(run)}
      >
        {label}
      </button>
      <OutcomeText of={outcome} />
    </div>
  );
}
