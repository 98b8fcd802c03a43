import type { ComponentChildren } from "preact";
import { CommandLine } from "./command-line.js";
import { shared } from "./words.js";

interface EmptyProps {
  /** What will stand here. */
  readonly text: string;
  /** The one command that makes the first row. */
  readonly command?: string;
  readonly children?: ComponentChildren;
}

/** In place of an empty list: what will stand there, and how to make it happen. */
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
