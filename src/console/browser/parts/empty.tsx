import type { ComponentChildren } from "preact";
import { lineHere } from "../shell/strip.js";
import { Copy } from "./copy.js";
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
        <p class="empty-command">
          <code>{lineHere(command)}</code> <Copy text={() => lineHere(command)} />
        </p>
      )}
      {children}
      <p class="hint" aria-live="polite">
        {shared.value.waiting}
      </p>
    </div>
  );
}
