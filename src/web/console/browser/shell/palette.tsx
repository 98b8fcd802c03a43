import { useSignal } from "@preact/signals";
import { useId, useLayoutEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { Dialog } from "../parts/dialog.js";
import { FoundText } from "../parts/found.js";
import { Icon } from "../parts/icon.js";
import { withBook } from "../state/book.js";
import { texts } from "../state/language.js";
import { type Entry, words as names, useEntries } from "./palette-entries.js";
import { closeOverlay } from "./palette-state.js";

/** The palette: pages by name, actions and commands, and objects by any known fact. */

const words = texts("palette");

export function Palette() {
  const { route } = useLocation();
  const query = useSignal("");
  const at = useSignal(0);
  const id = useId();
  const entries = useEntries(query.value.trim());
  const chosen = Math.min(at.value, entries.length - 1);
  const open = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    closeOverlay();
    entry.run?.();
    if (entry.path !== undefined) route(withBook(entry.path));
  };
  useLayoutEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") at.value = Math.min(chosen + 1, entries.length - 1);
    else if (event.key === "ArrowUp") at.value = Math.max(chosen - 1, 0);
    else if (event.key === "Enter") open(entries[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={words.value.title} onClose={closeOverlay} isBare>
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={entries.length === 0 ? undefined : `${id}-${chosen}`}
        aria-label={words.value.field}
        placeholder={words.value.field}
        autocomplete="off"
        spellcheck={false}
        value={query.value}
        onInput={({ currentTarget }) => {
          query.value = currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <Entries id={id} entries={entries} chosen={chosen} onOpen={open} />
    </Dialog>
  );
}

interface EntriesProps {
  readonly id: string;
  readonly entries: readonly Entry[];
  readonly chosen: number;
  readonly onOpen: (entry: Entry) => void;
}

function Entries({ id, entries, chosen, onOpen }: EntriesProps) {
  if (entries.length === 0) return <p class="hint">{words.value.nothing}</p>;
  const groups = [...new Set(entries.map(({ group }) => group))];
  const option = (entry: Entry) => {
    const index = entries.indexOf(entry);
    const { key, icon, text, found, lang, about, keys } = entry;
    return (
      <button
        type="button"
        key={key}
        id={`${id}-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={index === chosen}
        onClick={() => onOpen(entry)}
      >
        <Icon name={icon} />
        <span lang={lang} class="cut">
          {found === undefined ? text : <FoundText of={found} />}
        </span>{" "}
        <span class="cut hint">{about}</span> {keys === undefined ? null : <kbd>{keys}</kbd>}
      </button>
    );
  };
  return (
    <div role="listbox" id={id} class="stack palette-list" aria-label={words.value.title}>
      {groups.map((name) => (
        <fieldset key={name} class="stack" aria-labelledby={`${id}-${name}`}>
          <p id={`${id}-${name}`} role="presentation">
            {names.value.groups[name]}
          </p>
          {entries.filter(({ group }) => group === name).map(option)}
        </fieldset>
      ))}
    </div>
  );
}
