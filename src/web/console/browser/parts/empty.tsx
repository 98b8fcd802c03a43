import { type ComponentChildren, Fragment } from "preact";
import type { AnyInput } from "../api/input.js";
import { curlFor, lineFor, lineHere } from "../shell/strip.js";
import { terms } from "../state/language.js";
import { Copy } from "./copy.js";
import { shared } from "./words.js";

/** An operation with its input, which creates the first row. */
export interface FirstCall {
  readonly id: string;
  readonly input: AnyInput;
}

interface EmptyProps {
  /** The future content of this place. */
  readonly text: string;
  /** What creates the first row: a command, or an operation, which is also shown as a request. */
  readonly command?: string | FirstCall;
  /** The button that creates the first row. */
  readonly button?: { readonly label: string; readonly press: () => void } | undefined;
  readonly children?: ComponentChildren;
}

/** A long command breaks before an option, and not inside of it. */
const piecesOf = (text: string) =>
  text.split(/ (?=-)/).map((piece, index) => (
    <Fragment key={piece}>
      {index === 0 ? "" : " "}
      <span>{piece}</span>
    </Fragment>
  ));

function Line({ name, text }: { name: string; text: string }) {
  return (
    <div class="empty-line">
      <span class="hint">{name}</span>
      <code>{piecesOf(text)}</code>
      <Copy text={text} label="" about={`${terms.value.copy}: ${name}`} />
    </div>
  );
}

function linesOf(command: string | FirstCall): readonly (readonly [name: string, text: string])[] {
  const name = shared.value.in_a_terminal;
  if (typeof command === "string") return [[name, lineHere(command)]];
  return [
    [name, lineFor(command.id, command.input)],
    ["curl", curlFor(command.id, command.input)],
  ];
}

/** Shown instead of an empty list: its future content, and the ways to create it, the nearest first. */
export function Empty({ text, command, button, children }: EmptyProps) {
  return (
    <div class="stack empty">
      <p>{text}</p>
      {button === undefined ? null : (
        <button type="button" class="main" onClick={button.press}>
          {button.label}
        </button>
      )}
      {command === undefined
        ? null
        : linesOf(command).map(([name, line]) => <Line key={name} name={name} text={line} />)}
      {children}
      <p class="hint" aria-live="polite">
        {shared.value.waiting}
      </p>
    </div>
  );
}
