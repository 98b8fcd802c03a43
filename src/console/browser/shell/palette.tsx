import { useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { call, callAny } from "../api/call.js";
import { commands } from "../facts/commands.js";
import { Dialog } from "../parts/dialog.js";
import { withBook } from "../state/book.js";
import { chooseLanguage, language, texts } from "../state/language.js";
import { chooseTheme } from "../state/theme.js";
import { CLOCK_STEPS } from "../words/clock-steps.js";
import { foundText } from "../words/found-texts.js";
import { MENU, menuWords } from "./menu.js";
import { isPaletteOpen, openOperation, recent } from "./palette-state.js";

/** The palette: pages by name, and objects by anything that one knows of them. */

const words = texts(
  {
    title: "Go to",
    field: "Page, command, id, amount, name, tax id, txid or end-to-end id",
    nothing: "Nothing found.",
    page: "page",
    recent: "recent",
    appearance: "appearance",
    jump: (by: string) => `Advance the clock by ${by}`,
    theme: (name: string) => `Theme: ${name}`,
    keys: "Keys: g and a letter goes to a page (o c r d e p v k f n s w b y m l a t), j and k move in a list, E goes to the next error, c copies the command, y copies the address, / opens this.",
  },
  {
    title: "Ir para",
    field: "Página, comando, id, valor, nome, CPF/CNPJ, txid ou end-to-end id",
    nothing: "Nada encontrado.",
    page: "página",
    recent: "recente",
    appearance: "aparência",
    jump: (by) => `Avançar o relógio ${by}`,
    theme: (name) => `Tema: ${name}`,
    keys: "Teclas: g e uma letra vão a uma página (o c r d e p v k f n s w b y m l a t), j e k andam na lista, E vai ao próximo erro, c copia o comando, y copia o endereço, / abre isto.",
  },
);

interface Entry {
  readonly key: string;
  readonly text: string;
  /** What it is, or the command that does the same. */
  readonly about: string;
  /** The language of the text, where it is not the one of the page. */
  readonly lang?: "en";
  /** The page that it opens; without it, `run` does something else. */
  readonly path?: string;
  readonly run?: () => void;
}

/** Whether the letters of the query stand in the text in this order. */
function fits(text: string, query: string): boolean {
  const wanted = query.toLowerCase();
  let at = 0;
  for (const letter of text.toLowerCase()) if (letter === wanted[at]) at += 1;
  return at >= wanted.length;
}

function pagesFor(query: string): Entry[] {
  const found = MENU.filter(({ name }) => fits(menuWords.value[name], query));
  return found.map(({ name, path }) => ({ key: name, text: menuWords.value[name], about: words.value.page, path }));
}

function operationsFor(query: string): Entry[] {
  const found = Object.entries(commands).filter(([, { command, variant = "", summary }]) =>
    `${command} ${variant} ${summary}`.toLowerCase().includes(query.toLowerCase()),
  );
  return found.map(([id, { command, variant, summary }]) => ({
    key: id,
    text: summary,
    lang: "en" as const,
    about: `qa-pay ${command}${variant === undefined ? "" : ` --${variant}`}`,
    run: () => {
      openOperation.value = id;
    },
  }));
}

/** What needs no form: jumps of the clock, language and theme. */
function settingsFor(query: string): Entry[] {
  const jumps = CLOCK_STEPS.map(({ seconds, label }) => ({
    key: label,
    text: words.value.jump(label),
    about: `qa-pay sandbox clock advance --seconds ${seconds}`,
    run: () => void callAny("sandbox.clock.advance", { body: { seconds } }).catch(() => undefined),
  }));
  const other = language.value === "en" ? "pt-BR" : "en";
  const themes = (["auto", "light", "dark"] as const).map((name) => ({
    key: name,
    text: words.value.theme(name),
    about: words.value.appearance,
    run: () => chooseTheme(name),
  }));
  const tongue = {
    key: other,
    text: other === "en" ? "English" : "Português",
    about: words.value.appearance,
    run: () => chooseLanguage(other),
  };
  return [...jumps, tongue, ...themes].filter(({ text }) => fits(text, query));
}

function recentEntries(): Entry[] {
  return recent.value.map((path) => {
    const [, , page = "", id = ""] = path.split("/");
    return { key: path, text: decodeURIComponent(id), about: `${words.value.recent}: ${page}`, path };
  });
}

async function objectsFor(query: string): Promise<Entry[]> {
  const { data } = await call("sandbox.search", { query: { q: query } });
  return data.slice(0, MOST_OBJECTS).map((found) => ({
    key: `${found.kind} ${found.id}`,
    text: foundText(found, language.value),
    about: found.id,
    path: `/console/go/${encodeURIComponent(found.id)}`,
  }));
}

const SEARCH_AFTER_MS = 150;
const MOST_ENTRIES = 60;
const MOST_OBJECTS = 8;

/** Pages at once, and objects from the server a moment after the last key. */
function useEntries(query: string): readonly Entry[] {
  const objects = useSignal<readonly Entry[]>([]);
  useEffect(() => {
    let isOver = false;
    objects.value = [];
    if (query.length < 2) return undefined;
    const timer = setTimeout(() => {
      objectsFor(query).then(
        (found) => {
          if (!isOver) objects.value = found;
        },
        () => undefined,
      );
    }, SEARCH_AFTER_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [query]);
  if (query === "") return [...recentEntries(), ...pagesFor(""), ...settingsFor("")];
  return [...pagesFor(query), ...objects.value, ...settingsFor(query), ...operationsFor(query)].slice(0, MOST_ENTRIES);
}

function Chooser({ onChosen }: { onChosen: () => void }) {
  const { route } = useLocation();
  const query = useSignal("");
  const at = useSignal(0);
  const id = useId();
  const entries = useEntries(query.value.trim());
  const chosen = Math.min(at.value, entries.length - 1);
  const open = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    onChosen();
    entry.run?.();
    if (entry.path !== undefined) route(withBook(entry.path));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") at.value = Math.min(chosen + 1, entries.length - 1);
    else if (event.key === "ArrowUp") at.value = Math.max(chosen - 1, 0);
    else if (event.key === "Enter") open(entries[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <>
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
      <p class="hint">{words.value.keys}</p>
    </>
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
  return (
    <div role="listbox" id={id} class="palette-list" aria-label={words.value.title}>
      {entries.map((entry, index) => (
        <button
          type="button"
          key={entry.key}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          onClick={() => onOpen(entry)}
        >
          <span lang={entry.lang}>{entry.text}</span> <span class="hint">{entry.about}</span>
        </button>
      ))}
    </div>
  );
}

/** The dialog of the palette. */
export function Palette() {
  const close = () => {
    isPaletteOpen.value = false;
  };
  return (
    <Dialog title={words.value.title} onClose={close}>
      <Chooser onChosen={close} />
    </Dialog>
  );
}
