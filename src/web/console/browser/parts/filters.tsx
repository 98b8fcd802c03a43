import { type Signal, useSignal } from "@preact/signals";
import { useContext } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { language, terms, texts } from "../state/language.js";
import { dayOf, dayText } from "../words/dates.js";
import { Field, type FieldSpec, problemOf, type Values } from "./fields.js";
import { Icon } from "./icon.js";
import { useAddressWith } from "./list-address.js";
import { IsBeside } from "./split.js";
import { shared } from "./words.js";

const words = texts("filters");

/**
 * Filters of a list. They are in the address of the page, so that they survive a reload and can be shared. A list
 * beside one of its objects has no room for them.
 */
export function Filters({ fields }: { fields: readonly FieldSpec[] }) {
  return useContext(IsBeside) ? null : <FilterForm fields={fields} />;
}

/** The button that opens the filters on a phone, with the number of set ones. */
function Toggle({ isOpen, given }: { isOpen: Signal<boolean>; given: number }) {
  return (
    <button
      type="button"
      class="small filters-toggle"
      aria-expanded={isOpen.value}
      onClick={() => {
        isOpen.value = !isOpen.value;
      }}
    >
      <Icon name="filter" /> {words.value.filters}
      {given === 0 ? "" : ` (${given})`}
    </button>
  );
}

/** A filter of the address as its field shows it. */
const shownText = ({ kind }: FieldSpec, value: string) => (kind === "date" ? dayText(value, language.value) : value);

function problemsOf(fields: readonly FieldSpec[], changed: Values): Values {
  const found = fields.map((spec) => [spec.name, problemOf(spec, changed[spec.name] ?? "")] as const);
  return Object.fromEntries(found.filter((one): one is [string, string] => one[1] !== null));
}

/** The changed values, as the address has them. */
function valuesOf(fields: readonly FieldSpec[], changed: Values): Values {
  const isDate = (name: string) => fields.some((spec) => spec.name === name && spec.kind === "date");
  const sent = ([name, text]: [string, string]) => [name, isDate(name) ? (dayOf(text, new Date()) ?? "") : text.trim()];
  return Object.fromEntries(Object.entries(changed).map(sent));
}

function FilterForm({ fields }: { fields: readonly FieldSpec[] }) {
  const { query, route } = useLocation();
  const address = useAddressWith();
  const texts = useSignal<Values>({});
  const problems = useSignal<Values>({});
  const apply = (changed: Values) => {
    problems.value = problemsOf(fields, changed);
    if (Object.keys(problems.value).length > 0) return;
    texts.value = {};
    route(
      address({
        ...Object.fromEntries(fields.map(({ name }) => [name, query[name] ?? ""])),
        ...valuesOf(fields, changed),
      }),
    );
  };
  const isOpen = useSignal(false);
  const given = fields.filter(({ name }) => query[name] !== undefined).length;
  const clear = () => apply(Object.fromEntries(fields.map(({ name }) => [name, ""])));
  return (
    <search>
      <form
        class={isOpen.value ? "filters filters-open" : "filters"}
        aria-label={words.value.filters}
        onSubmit={(event) => {
          event.preventDefault();
          apply(texts.value);
        }}
      >
        <Toggle isOpen={isOpen} given={given} />
        {fields.map((spec) => (
          <Field
            key={spec.name}
            spec={{ none: `${spec.label}: ${shared.value.any}`, placeholder: spec.label, ...spec }}
            text={texts.value[spec.name] ?? shownText(spec, query[spec.name] ?? "")}
            problem={problems.value[spec.name] ?? null}
            onText={(text) => {
              const changed = { ...texts.value, [spec.name]: text };
              if (spec.kind === "choice" || spec.suggestions?.includes(text) === true) apply(changed);
              else texts.value = changed;
            }}
          />
        ))}
        {fields.every(({ kind }) => kind === "choice") ? null : <button type="submit">{words.value.apply}</button>}
        {given > 0 ? (
          <button type="button" onClick={clear}>
            {terms.value.all}
          </button>
        ) : null}
      </form>
    </search>
  );
}
