import { type Signal, useSignal } from "@preact/signals";
import { useContext, useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { now } from "../state/clock.js";
import { language, texts } from "../state/language.js";
import { dayOf, dayText } from "../words/dates.js";
import { DAY_RANGES, daysOfRange, rangeOfDays } from "../words/day-ranges.js";
import { codeName } from "./codes.js";
import { Field, type FieldSpec, problemOf, type Values } from "./fields.js";
import { Icon } from "./icon.js";
import { useAddressWith } from "./list-address.js";
import { MenuButton } from "./menu.js";
import { IsBeside } from "./split.js";
import { Toggles } from "./toggles.js";
import { shared } from "./words.js";

/** Filters of a list. Each acts at once. They are in the address of the page, so that they survive a reload and can be shared. */

const words = texts("filters");

/** A filter as a field. Its choices may be in sight instead of behind a button. */
export interface FilterSpec extends FieldSpec {
  readonly isInSight?: boolean;
}

interface FilterProps {
  readonly spec: FilterSpec;
  /** Its value in the address; empty when it is not set. */
  readonly value: string;
  /** `isTyped` while somebody types: the address changes without a step in the window's history. */
  readonly onSet: (changed: Values, isTyped?: boolean) => void;
}

const choicesOf = ({ choices = [] }: FilterSpec) =>
  choices.map((choice) => (typeof choice === "string" ? { value: choice, words: codeName(choice) } : choice));

const chip = (isSet: boolean) => (isSet ? "small chip chip-set" : "small chip");

/** One of several values, behind a button that shows the present one. */
function ChoiceFilter({ spec, value, onSet }: FilterProps) {
  const { name, label } = spec;
  const choices = choicesOf(spec);
  const chosen = choices.find((one) => one.value === value)?.words ?? value;
  const item = (key: string, text: string) => ({
    key,
    label: text,
    isChosen: key === value,
    run: () => onSet({ [name]: key }),
  });
  return (
    <MenuButton
      class={chip(value !== "")}
      items={[item("", shared.value.any), ...choices.map((one) => item(one.value, one.words))]}
    >
      <span class="cut">{value === "" ? label : `${label}: ${chosen}`}</span>
    </MenuButton>
  );
}

/** One of a few values, all in sight. Pressing the present one takes it away. */
function SightFilter({ spec, value, onSet }: FilterProps) {
  const { name, label, none } = spec;
  const all = [...choicesOf(spec), ...(none === undefined ? [] : [{ value: "", words: none }])];
  return (
    <Toggles
      label={label}
      of={all.map((one) => ({ name: one.value, words: one.words, isOn: one.value === value }))}
      onPress={(pressed) => onSet({ [name]: pressed === value ? "" : pressed })}
    />
  );
}

const SEARCH = "q";

/** The pause after the last key until a search begins. */
const PAUSE_MS = 250;

/** A text. A search follows each pause while somebody types; an id must be whole, so it waits for Enter. */
function TextFilter({ spec, value, onSet }: FilterProps) {
  const { name, label } = spec;
  const typed = useSignal<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stop = () => clearTimeout(timer.current);
  useEffect(() => stop, []);
  const apply = (isTyped: boolean) => {
    stop();
    const text = typed.value?.trim();
    if (text !== undefined && text !== value) onSet({ [name]: text }, isTyped);
    if (!isTyped) typed.value = null;
  };
  return (
    <span class={name === SEARCH ? "filter-text filter-search" : "filter-text"}>
      {name === SEARCH ? <Icon name="search" /> : null}
      <input
        type="text"
        name={name}
        aria-label={label}
        placeholder={label}
        autocomplete="off"
        spellcheck={false}
        list={spec.suggestions === undefined ? undefined : `${name}-list`}
        value={typed.value ?? value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          stop();
          if (name === SEARCH) timer.current = setTimeout(() => apply(true), PAUSE_MS);
        }}
        onChange={() => apply(false)}
        onKeyDown={({ key }) => key === "Enter" && apply(false)}
      />
      {spec.suggestions === undefined ? null : (
        <datalist id={`${name}-list`}>
          {spec.suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </span>
  );
}

interface DayProps extends FilterProps {
  readonly onSet: (changed: Values) => void;
}

/** A day that somebody writes. A text that is no day shows its problem. */
function DayField({ spec, value, onSet }: DayProps) {
  const typed = useSignal<string | null>(null);
  const text = typed.value ?? dayText(value, language.value);
  const problem = useSignal<string | null>(null);
  return (
    <span
      onChange={() => {
        problem.value = problemOf(spec, text);
        if (problem.value !== null) return;
        typed.value = null;
        onSet({ [spec.name]: dayOf(text, new Date()) ?? "" });
      }}
    >
      <Field
        spec={spec}
        text={text}
        problem={problem.value}
        onText={(written) => {
          typed.value = written;
        }}
      />
    </span>
  );
}

interface DaysProps {
  readonly from: FilterSpec;
  readonly to: FilterSpec;
  readonly values: readonly [from: string, to: string];
  readonly onSet: (changed: Values) => void;
}

/** A range of days, behind a button with the usual ones. Fields for any other one appear when somebody wants it. */
function DaysFilter({ from, to, values: [first, last], onSet }: DaysProps) {
  const isOpen = useSignal(false);
  const at = now.value ?? Date.now();
  const isSet = first !== "" || last !== "";
  const range = rangeOfDays(first, last, at);
  const isOwn = isOpen.value || (isSet && range === null);
  const set = ([start, end]: readonly [string, string]) => {
    isOpen.value = false;
    onSet({ [from.name]: start, [to.name]: end });
  };
  const choose = () => {
    isOpen.value = true;
  };
  const { ranges, days, own_days: own } = words.value;
  return (
    <>
      <MenuButton
        class={chip(isSet)}
        items={[
          { key: "", label: shared.value.any, isChosen: !isSet, run: () => set(["", ""]) },
          ...DAY_RANGES.map((name) => ({
            key: name,
            label: ranges[name],
            isChosen: range === name,
            run: () => set(daysOfRange(name, at)),
          })),
          { key: "own", label: own, isChosen: isOwn, isApart: true, run: choose },
        ]}
      >
        {range === null ? days : `${days}: ${ranges[range]}`}
      </MenuButton>
      {isOwn ? (
        <>
          <DayField spec={from} value={first} onSet={onSet} />
          <DayField spec={to} value={last} onSet={onSet} />
        </>
      ) : null}
    </>
  );
}

const isDate = ({ kind }: FilterSpec) => kind === "date";

function viewOf({ spec, ...props }: FilterProps) {
  if (spec.kind !== "choice") return <TextFilter key={spec.name} spec={spec} {...props} />;
  const View = spec.isInSight === true ? SightFilter : ChoiceFilter;
  return <View key={spec.name} spec={spec} {...props} />;
}

/** A list beside one of its objects has no room for filters. */
export function Filters({ fields }: { fields: readonly FilterSpec[] }) {
  return useContext(IsBeside) ? null : <FilterBar fields={fields} />;
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

function FilterBar({ fields }: { fields: readonly FilterSpec[] }) {
  const { query, route } = useLocation();
  const address = useAddressWith();
  const isOpen = useSignal(false);
  const inAddress = ({ name }: FilterSpec) => query[name] ?? "";
  const given = fields.filter((spec) => inAddress(spec) !== "").length;
  const onSet = (changed: Values, isTyped = false) => route(address(changed), isTyped);
  const [from, to] = fields.filter(isDate);
  return (
    <search class={isOpen.value ? "flow filters filters-open" : "flow filters"} aria-label={words.value.filters}>
      <Toggle isOpen={isOpen} given={given} />
      {fields.filter((spec) => !isDate(spec)).map((spec) => viewOf({ spec, value: inAddress(spec), onSet }))}
      {from === undefined || to === undefined ? null : (
        <DaysFilter from={from} to={to} values={[inAddress(from), inAddress(to)]} onSet={onSet} />
      )}
      {given === 0 ? null : (
        <button
          type="button"
          class="small quiet"
          onClick={() => onSet(Object.fromEntries(fields.map(({ name }) => [name, ""])))}
        >
          <Icon name="x" /> {words.value.clear}
        </button>
      )}
    </search>
  );
}
