import { useId } from "preact/hooks";
import { formatBrl, parseAmount } from "../../../../base/kernel/money.js";
import { isNameOf } from "../../../../base/kernel/names.js";
import { reasonOf } from "../../../../base/kernel/reason.js";
import { language } from "../state/language.js";
import { dayOf } from "../words/dates.js";
import { percent } from "../words/numbers.js";
import { codeName } from "./codes.js";
import { type FieldSpec, itemsOf, type Values } from "./field-values.js";
import { Toggles } from "./toggles.js";
import { shared } from "./words.js";

export { type FieldSpec, fieldValue, type Values } from "./field-values.js";

/** The fields of a form. */

/** The keyboard of a phone that fits a kind of fields. */
const KEYBOARDS = { money: "decimal", date: "numeric" } as const;

export function firstValues(fields: readonly FieldSpec[]): Values {
  return Object.fromEntries(fields.map(({ name, value }) => [name, value ?? ""]));
}

/** The problem with the text of a field; null when it can be sent. */
export function problemOf({ kind, required }: FieldSpec, text: string): string | null {
  if (text.trim() === "") return required === true ? shared.value.required : null;
  if (kind === "money" && parseAmount(text) === null) return shared.value.amount_wrong;
  if (kind === "number" && !/^-?\d+(\.\d+)?$/.test(text.trim())) return shared.value.number_wrong;
  if (kind === "date" && dayOf(text, new Date()) === null) return shared.value.date_wrong;
  if (kind !== "json") return null;
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

interface FieldProps {
  readonly spec: FieldSpec;
  readonly text: string;
  readonly problem: string | null;
  readonly onText: (text: string) => void;
}

function Control({ spec, text, problem, onText, id, described }: FieldProps & { id: string; described: string }) {
  const { name, kind = "text", choices = [], none = "—", required = false } = spec;
  const common = {
    id,
    name,
    required,
    "aria-describedby": described,
    ...(problem === null ? {} : { "aria-invalid": "true" as const }),
  };
  const onInput = (event: { currentTarget: { value: string } }) => onText(event.currentTarget.value);
  if (kind === "choice" || (kind === "json" && choices.length > 0)) {
    return (
      <select {...common} value={text} onInput={onInput}>
        {required && text !== "" ? null : <option value="">{required ? shared.value.choose : none}</option>}
        {choices.map((choice) => {
          const { value, words } = typeof choice === "string" ? { value: choice, words: codeName(choice) } : choice;
          return (
            <option key={value} value={value}>
              {words}
            </option>
          );
        })}
      </select>
    );
  }
  if (kind === "long" || kind === "json") return <textarea {...common} rows={4} value={text} onInput={onInput} />;
  if (kind === "share") {
    const shown = percent(Number(text), language.value);
    return (
      <span class="level share">
        <input
          {...common}
          type="range"
          min="5"
          max="100"
          step="5"
          value={Math.round(Number(text) * 100)}
          aria-valuetext={shown}
          onInput={(event) => onText(String(Number(event.currentTarget.value) / 100))}
        />
        <output for={id}>{shown}</output>
      </span>
    );
  }
  if (kind === "yes") {
    const onChange = (event: { currentTarget: HTMLInputElement }) => onText(event.currentTarget.checked ? "true" : "");
    return <input {...common} type="checkbox" checked={text === "true"} onChange={onChange} />;
  }
  // The browser's own date field uses the browser's language, and puts the month first in English.
  const mode = isNameOf(KEYBOARDS, kind) ? KEYBOARDS[kind] : undefined;
  const placeholder = kind === "date" ? shared.value.date_form : spec.placeholder;
  return (
    <>
      <input
        {...common}
        type="text"
        inputMode={mode}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        size={placeholder === undefined ? undefined : placeholder.length + 2}
        list={spec.suggestions === undefined ? undefined : `${id}-list`}
        value={text}
        onInput={onInput}
      />
      {kind === "list" && choices.length > 0 ? <Choices text={text} onText={onText} choices={choices} /> : null}
      {spec.suggestions === undefined ? null : (
        <datalist id={`${id}-list`}>
          {spec.suggestions.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** Buttons that add items to a list and remove them, so that nobody has to type their names. */
function Choices({
  text,
  onText,
  choices,
}: Pick<FieldProps, "text" | "onText"> & Pick<Required<FieldSpec>, "choices">) {
  const items = itemsOf(text);
  const toggled = (value: string) =>
    items.includes(value) ? items.filter((item) => item !== value) : [...items, value];
  const of = choices.map((choice) => {
    const { value, words } = typeof choice === "string" ? { value: choice, words: choice } : choice;
    return { name: value, words, isOn: items.includes(value) };
  });
  return <Toggles of={of} onPress={(value) => onText(toggled(value).join(","))} />;
}

/** A field with its label, its hint and its problem. */
export function Field(props: FieldProps) {
  const id = useId();
  const { spec, text, problem } = props;
  const centavos = spec.kind === "money" ? parseAmount(text) : null;
  const written = centavos === null ? null : formatBrl(centavos);
  const shownHint = (text: string) => (spec.quick === undefined ? text : `${text} ${spec.hint}`);
  const hint = spec.hint ?? (spec.kind === "money" ? shared.value.amount_hint : "");
  return (
    <div class={spec.kind === "yes" || spec.kind === "date" ? `stack field field-${spec.kind}` : "stack field"}>
      <label for={id}>{spec.label}</label>
      <Control {...props} id={id} described={`${id}-hint`} />
      {spec.quick === undefined ? null : (
        <Toggles
          of={spec.quick.map(({ label, text: own }) => ({ name: own, words: label, isOn: own === text }))}
          onPress={props.onText}
        />
      )}
      <p id={`${id}-hint`} class={problem === null ? "hint" : "hint problem"}>
        {problem ?? (written === null ? hint : shownHint(written))}
      </p>
    </div>
  );
}
