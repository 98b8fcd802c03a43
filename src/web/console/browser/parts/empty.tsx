import type { ComponentChildren } from "preact";
import { CommandLine } from "./command-line.js";
import { shared } from "./words.js";

interface EmptyProps {
  /** The future content of this place. */
  readonly text: string;
  /** The command that creates the first row. */
  readonly command?: string;
  readonly children?: ComponentChildren;
}

/** Shown instead of an empty list: its future content, and the way to create it. */
export function Empty({ text, command, children }: EmptyProps) {
  return (
    <div class="empty">
      <p>{text}</p>
      {command === undefined ? null : (
        <p>
          <CommandLine of={command} />
        </p>
      )}
      {children}
      <p class="hint" aria-live="polite">
        {shared.value.waiting}
      </p>
    </div>
  );
}
