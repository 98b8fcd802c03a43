import { type Signal, useSignal } from "@preact/signals";
import { type ComponentChildren, createContext } from "preact";
import { useContext, useId, useLayoutEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { OperationAnswer, OperationId, OperationInput } from "../../../../api/client/types.js";
import { fill } from "../../../../base/kernel/message.js";
import { pick } from "../../../../base/kernel/pick.js";
import { callAny } from "../api/call.js";
import type { AnyInput } from "../api/input.js";
import { objectPage } from "../shell/menu.js";
import { withBook } from "../state/book.js";
import { type Shown, showAction } from "../state/command.js";
import { connection } from "../state/connection.js";
import { Dialog } from "./dialog.js";
import { type FieldSpec, firstValues, problemOf, type Values } from "./fields.js";
import { FormEnd, FormFields, useForm } from "./form.js";
import { type ActionResult, useOutcome } from "./outcome.js";
import { shared } from "./words.js";

/** Buttons that change something. Each shows its command, its result, and why it is impossible. */

const ResultPlace = createContext<Signal<ActionResult | null> | null>(null);

/** A row of actions with one place for their outcomes, which screen readers announce. */
export function Actions({ children, label }: { children: ComponentChildren; label?: string }) {
  const outcome = useSignal<ActionResult | null>(null);
  const tone = outcome.value?.isGood === false ? "outcome outcome-bad" : "outcome";
  const place = useRef<HTMLOutputElement>(null);
  const hadFocus = useRef(false);
  // A button that becomes impossible disappears; its focus and the next keys would be lost with it.
  useLayoutEffect(() => {
    if (!hadFocus.current || document.activeElement !== document.body) return;
    hadFocus.current = false;
    place.current?.focus();
  });
  return (
    <ResultPlace.Provider value={outcome}>
      <fieldset
        class="flow actions"
        aria-label={label}
        onFocusIn={() => {
          hadFocus.current = true;
        }}
        onFocusOut={({ relatedTarget }) => {
          hadFocus.current = relatedTarget === null && hadFocus.current;
        }}
      >
        {children}
      </fieldset>
      <output ref={place} tabIndex={-1} class={tone}>
        {outcome.value?.content}
      </output>
    </ResultPlace.Provider>
  );
}

/** The same in one row: the outcome stands beside the buttons, and no button moves when it appears. */
export function ActionRow({ children, label }: { children: ComponentChildren; label: string }) {
  return (
    <div class="flow action-row">
      <Actions label={label}>{children}</Actions>
    </div>
  );
}

export interface ActionProps<Id extends OperationId> {
  /** The operation that the button calls. */
  readonly id: Id;
  readonly label: string;
  /** The reason why it is not possible now; null or left out when it is. */
  readonly disabled?: string | null | undefined;
  /** The events that it sends, by the state machine; may be empty. Left out if events do not apply. */
  readonly emits?: readonly string[] | undefined;
  readonly kind?: "main" | "danger" | "small" | undefined;
  /** The single key that presses it. */
  readonly shortcut?: "p";
  /** The state of a switch. */
  readonly isOn?: boolean;
  /** The text while it works; `shared.running` when left out. */
  readonly running?: ComponentChildren;
  /** The text after a success; `shared.done` when left out. */
  readonly done?: ((answer: OperationAnswer<Id>) => ComponentChildren) | undefined;
  /** True if it opens the page of the object that it created. */
  readonly opens?: boolean | undefined;
}

/** The page of the object in an answer, by its id. */
function pageOf(answer: unknown): string | null {
  const page = objectPage(String(pick(answer, "id")));
  return page === null ? null : withBook(page);
}

function useRun<Id extends OperationId>({ id, done, opens, running }: ActionProps<Id>) {
  const { route } = useLocation();
  const { run, ...rest } = useOutcome(useContext(ResultPlace));
  const callWith = async (input: AnyInput) => {
    const answer = await callAny(id, input);
    const page = opens === true ? pageOf(answer) : null;
    if (page !== null) route(page);
    return done === undefined ? shared.value.done : done(answer);
  };
  return { ...rest, run: (input: AnyInput) => run(() => callWith(input), running) };
}

/** The reason why an action is off, or the events that it will send. */
function aboutOf({ disabled, emits }: Pick<ActionProps<OperationId>, "disabled" | "emits">) {
  if (!connection.isWorking) return { about: shared.value.cut_off, isOff: true };
  if (disabled !== undefined && disabled !== null) return { about: disabled, isOff: true };
  if (emits === undefined) return { about: "", isOff: false };
  return {
    about: emits.length === 0 ? shared.value.emits_nothing : fill(shared.value.emits, { events: emits.join(", ") }),
    isOff: false,
  };
}

interface ButtonProps<Id extends OperationId> {
  readonly of: ActionProps<Id>;
  readonly isRunning: boolean;
  /** Null while the command lacks a required value. */
  readonly shown: Shown | null;
  readonly onClick: () => void;
}

/**
 * The button itself. A disabled one can still be focused, so that keyboard and screen reader find its reason; therefore
 * `aria-disabled`. The reason is shown to everybody who reaches it.
 */
function ActionButton<Id extends OperationId>({ of, isRunning, shown, onClick }: ButtonProps<Id>) {
  const { label, kind, shortcut, isOn } = of;
  const { about, isOff } = aboutOf(of);
  const id = useId();
  const isStill = isOff || isRunning;
  return (
    <span class="action">
      <button
        type="button"
        {...(isOn === undefined ? { class: kind } : { class: "switch", role: "switch", "aria-checked": isOn })}
        aria-keyshortcuts={shortcut}
        aria-disabled={isStill ? "true" : undefined}
        aria-describedby={about === "" ? undefined : id}
        title={about}
        onClick={() => isStill || onClick()}
        onMouseEnter={() => showAction(shown)}
        onMouseLeave={() => showAction(null)}
        onFocus={() => showAction(shown)}
        onBlur={() => showAction(null)}
      >
        {isOn === undefined ? label : <span class="visually-hidden">{label}</span>}
        {shortcut === undefined ? null : (
          <span class="key" aria-hidden="true">
            {shortcut.toUpperCase()}
          </span>
        )}
      </button>
      {about === "" ? null : (
        <span id={id} class={isOff ? "reason" : undefined} hidden>
          {about}
        </span>
      )}
    </span>
  );
}

/** A button that calls an operation at once. */
export function Action<Id extends OperationId>(
  props: ActionProps<Id> & { readonly input: OperationInput<Id> | AnyInput },
) {
  const { run, isRunning } = useRun(props);
  const input = props.input as AnyInput;
  const shown = { id: props.id, input };
  return <ActionButton of={props} isRunning={isRunning.value} shown={shown} onClick={() => void run(input)} />;
}

export interface FormProps {
  readonly title?: string;
  /** A warning before the form is sent, such as a loss of data. */
  readonly text?: ComponentChildren;
  readonly fields: readonly FieldSpec[];
  /** The effect of the form, in words. */
  readonly preview?: (values: Values) => string;
  /** The input of the operation for the values of the fields. */
  readonly input: (values: Values) => AnyInput;
  /** The label of the button that sends the form; the label of the action when left out. */
  readonly send?: string;
  /** True if its fields stand in rows, in the order of the sentence that they make, which comes first. */
  readonly isSentence?: boolean;
  /** Offers to save a snapshot before: for actions that cannot be undone. */
  readonly offersSnapshot?: boolean;
}

interface OpenForm<Id extends OperationId> {
  readonly props: ActionProps<Id> & FormProps;
  readonly run: ReturnType<typeof useRun>["run"];
  readonly problem: Signal<ActionResult | null>;
  readonly onClose: () => void;
}

async function saveSnapshot(): Promise<void> {
  const name = `before-${new Date()
    .toISOString()
    .slice(0, 19)
    .replace(/[^0-9]/g, "")}`;
  await callAny("sandbox.snapshots.save", { body: { name } });
}

/** The command of a form, once its values are complete: before that, it could not be run. */
function shownBy<Id extends OperationId>({ id, fields, input }: ActionProps<Id> & FormProps, values: Values) {
  const isWhole = fields.every((spec) => problemOf(spec, values[spec.name] ?? "") === null);
  return isWhole ? { id, input: input(values) } : null;
}

/** From this number of fields on, those that are folded away left out, a form is at the side, so that the page behind it can be read. */
const DRAWER_FIELDS = 5;

function ActionForm<Id extends OperationId>({ props, run, problem, onClose }: OpenForm<Id>) {
  const form = useForm(props.fields);
  const keeps = useSignal(true);
  const shown = props.fields.filter(({ group }) => group === undefined);
  const input = props.input(form.values);
  const submit = async () => {
    if (!form.check()) return;
    if (props.offersSnapshot === true && keeps.value) await saveSnapshot();
    const refusal = await run(input);
    if (refusal === null) onClose();
    else form.refuse(refusal.thrown);
  };
  return (
    <Dialog
      title={props.title ?? props.label}
      onClose={onClose}
      isDrawer={props.isSentence !== true && shown.length >= DRAWER_FIELDS}
    >
      <form
        ref={form.place}
        noValidate
        class={props.isSentence === true ? "stack sentence" : "stack"}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {props.text === undefined ? null : <div class="form-text">{props.text}</div>}
        <FormFields fields={props.fields} form={form} />
        {props.preview === undefined ? null : <output class="preview">{props.preview(form.values)}</output>}
        {props.offersSnapshot === true ? (
          <label class="choice">
            <input
              type="checkbox"
              checked={keeps.value}
              onChange={({ currentTarget }) => {
                keeps.value = currentTarget.checked;
              }}
            />{" "}
            {shared.value.keep_snapshot}
          </label>
        ) : null}
        <output class="outcome outcome-bad">{problem.value?.isGood === false ? problem.value.content : null}</output>
        <FormEnd id={props.id} input={form.isWhole ? input : null} onClose={onClose} close={shared.value.cancel}>
          <button type="submit" class={props.kind === "danger" ? "danger" : "main"}>
            {props.send ?? props.label}
          </button>
        </FormEnd>
      </form>
    </Dialog>
  );
}

/** A button that requests values, or a confirmation when there are no fields, and then calls an operation. */
export function FormAction<Id extends OperationId>(props: ActionProps<Id> & FormProps) {
  const { run, isRunning, outcome } = useRun(props);
  const isOpen = useSignal(false);
  const close = () => {
    isOpen.value = false;
  };
  const open = () => {
    outcome.value = null;
    isOpen.value = true;
  };
  return (
    <>
      <ActionButton
        of={props}
        isRunning={isRunning.value}
        shown={shownBy(props, firstValues(props.fields))}
        onClick={open}
      />
      {isOpen.value ? <ActionForm props={props} run={run} problem={outcome} onClose={close} /> : null}
    </>
  );
}
