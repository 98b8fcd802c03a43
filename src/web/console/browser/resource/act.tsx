import type { ComponentChildren } from "preact";
import type { OperationId } from "../../../../api/client/types.js";
import type { AnyInput } from "../api/input.js";
import { Action, type ActionProps, FormAction, type FormProps } from "../parts/action.js";
import type { Values } from "../parts/field-values.js";
import type { Move } from "../parts/moves.js";
import { bodyOf } from "./contract-form.js";
import { type Asked, fieldsOf } from "./form-fields.js";

type Body = Readonly<Record<string, unknown>>;

interface ActSpec<Id extends OperationId>
  extends Omit<ActionProps<Id>, "id">,
    Pick<FormProps, "title" | "send" | "isSentence" | "offersSnapshot"> {
  /** The parameters of the path. */
  readonly params?: AnyInput["params"];
  /** Constants that are sent with the values of the form. */
  readonly body?: Body;
  /** Stays the same while the label changes, so that the button keeps its focus. The label, when left out. */
  readonly key?: string;
  /** The fields of its form. */
  readonly ask?: readonly Asked<Id>[];
  /** The effect of the form in words, from the body to send. */
  readonly preview?: (body: Body) => string;
  /** A warning or question before sending. */
  readonly text?: ComponentChildren;
}

/** A button that calls an operation: at once, or after its form. */
export function act<Id extends OperationId>(id: Id, spec: ActSpec<Id>): Move {
  const { params, body, ask = [], text, preview, key = spec.label, ...button } = spec;
  const target = params === undefined ? {} : { params };
  if (ask.length === 0 && text === undefined) {
    return <Action key={key} id={id} {...button} input={{ ...target, ...(body === undefined ? {} : { body }) }} />;
  }
  const fields = fieldsOf(id, ask);
  const given = (values: Values) => ({ ...body, ...bodyOf(id, fields, values) });
  const input = (values: Values): AnyInput => {
    const sent = given(values);
    return { ...target, ...(Object.keys(sent).length === 0 ? {} : { body: sent }) };
  };
  const says = preview === undefined ? {} : { preview: (values: Values) => preview(given(values)) };
  return <FormAction key={key} id={id} {...button} {...says} text={text} fields={fields} input={input} />;
}
