import { useSignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useRef } from "preact/hooks";
import { CallFailed } from "../api/call.js";
import { type AnyInput, withoutEmpty } from "../api/input.js";
import { lineFor } from "../shell/strip.js";
import { terms } from "../state/language.js";
import { Copy } from "./copy.js";
import { Field, type FieldSpec, firstValues, problemOf, type Values } from "./fields.js";

/** The fields of a form with their texts and problems. */
export interface FormState {
  readonly values: Values;
  readonly place: RefObject<HTMLFormElement | null>;
  /** True if it has no problem. */
  readonly isWhole: boolean;
  write(name: string, text: string): void;
  /** The problem with a field, once the form was sent. */
  problem(spec: FieldSpec): string | null;
  /** True if the form can be sent. If not, each wrong field shows its problem, and the first one gets the focus. */
  check(): boolean;
  /** Marks the field that the service refused, when it is one of the form. */
  refuse(thrown: unknown): void;
}

/** Returns the state of a form. Problems are shown after the first `check`, and a refusal until the next input. */
export function useForm(fields: readonly FieldSpec[]): FormState {
  const values = useSignal(firstValues(fields));
  const isChecked = useSignal(false);
  const refused = useSignal<CallFailed | null>(null);
  const place = useRef<HTMLFormElement>(null);
  const own = (spec: FieldSpec) => problemOf(spec, values.value[spec.name] ?? "");
  // The field is marked after the next render, which happens before painting and before the next key.
  const goToFirst = () =>
    queueMicrotask(() => place.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
  const isWhole = fields.every((spec) => own(spec) === null);
  return {
    values: values.value,
    place,
    isWhole,
    write: (name, text) => {
      values.value = { ...values.value, [name]: text };
      refused.value = null;
    },
    problem: (spec) => {
      const { param = null, message = "" } = refused.value ?? {};
      if (param !== null && param === (spec.param ?? spec.name)) return message;
      return isChecked.value ? own(spec) : null;
    },
    check: () => {
      isChecked.value = true;
      if (!isWhole) goToFirst();
      return isWhole;
    },
    refuse: (thrown) => {
      refused.value = thrown instanceof CallFailed ? thrown : null;
      goToFirst();
    },
  };
}

/** Fields one below the other; the fields of a group are folded under its name until one of them is wrong. */
export function FormFields({ fields, form }: { fields: readonly FieldSpec[]; form: FormState }) {
  const shown = (spec: FieldSpec) => (
    <Field
      key={spec.name}
      spec={spec}
      text={form.values[spec.name] ?? ""}
      problem={form.problem(spec)}
      onText={(text) => form.write(spec.name, text)}
    />
  );
  const groups = [...new Set(fields.flatMap(({ group }) => group ?? []))];
  return (
    <>
      {fields.filter(({ group }) => group === undefined).map(shown)}
      {groups.map((name) => {
        const own = fields.filter(({ group }) => group === name);
        return (
          <details
            key={name}
            class="stack form-group"
            open={own.some((spec) => form.problem(spec) !== null) || undefined}
          >
            <summary>{name}</summary>
            {own.map(shown)}
          </details>
        );
      })}
    </>
  );
}

interface FormEndProps {
  /** The operation that the form calls. */
  readonly id: string;
  /** The input to send; null while it is incomplete, because its command could not be run. */
  readonly input: AnyInput | null;
  readonly onClose: () => void;
  /** The word of the button that closes. */
  readonly close: string;
  readonly children: ComponentChildren;
}

/** The foot of a form, always in sight: the command that does the same, and the buttons. */
export function FormEnd({ id, input, onClose, close, children }: FormEndProps) {
  return (
    <div class="flow form-end">
      {input === null ? null : (
        <p class="level form-command">
          <code class="cut">{lineFor(id, withoutEmpty(input))}</code>{" "}
          <Copy text={lineFor(id, withoutEmpty(input))} label="" about={terms.value.copy_the_command} />
        </p>
      )}
      <button type="button" onClick={onClose}>
        {close}
      </button>
      {children}
    </div>
  );
}
