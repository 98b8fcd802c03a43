import { bare, type Found, type Section, searchIn } from "./search.js";

/**
 * The script of every page of the documentation: search, copy buttons, and a chosen language of code that stays. All else works
 * without it.
 */

const EXCERPT = 120;

const { root = "", none = "", copy = "", copied = "" } = document.body.dataset;

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, text = ""): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

async function loadSearch(): Promise<(wanted: string) => Found[]> {
  const answer = await fetch(`${root}assets/search.${document.documentElement.lang}.json`);
  return searchIn((await answer.json()) as Section[]);
}

/** The part of a text around the first of the words. */
function excerpt(text: string, words: readonly string[]): string {
  const plain = bare(text);
  const at = Math.max(
    0,
    Math.min(...words.map((word) => plain.indexOf(word)).filter((found) => found >= 0), text.length),
  );
  const start = at === text.length ? 0 : Math.max(0, at - EXCERPT / 3);
  return `${start > 0 ? "…" : ""}${text.slice(start, start + EXCERPT)}…`;
}

function show(found: HTMLElement, search: (wanted: string) => Found[], wanted: string): void {
  found.replaceChildren();
  if (wanted === "") return;
  const results = search(wanted);
  if (results.length === 0) {
    found.append(element("p", none));
    return;
  }
  for (const { section, terms } of results) {
    const { id, page, title, text } = section;
    const link = element("a");
    link.href = root + id;
    link.append(element("b", title === page ? title : `${page} › ${title}`));
    link.append(element("span", excerpt(text, terms)));
    found.append(link);
  }
}

function startSearch(area: HTMLElement, input: HTMLInputElement, found: HTMLElement): void {
  let search: ReturnType<typeof loadSearch> | null = null;
  const look = async () => {
    search ??= loadSearch();
    const loaded = await search;
    show(found, loaded, input.value.trim());
  };
  area.hidden = false;
  input.addEventListener("input", () => void look());
  area.addEventListener("keydown", (event) => {
    const links = [...found.querySelectorAll("a")];
    const at = links.findIndex((link) => link.matches(":focus"));
    if (event.key === "Escape") {
      input.value = "";
      found.replaceChildren();
      input.focus();
    } else if (event.key === "Enter" && at < 0) links[0]?.click();
    else if (event.key === "ArrowDown") (links[at + 1] ?? links[0])?.focus();
    else if (event.key === "ArrowUp") (links[at - 1] ?? input).focus();
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    input.focus();
  });
}

function addCopyButtons(): void {
  for (const block of document.querySelectorAll("main pre")) {
    block.setAttribute("tabindex", "0");
    const button = element("button", copy);
    button.type = "button";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.querySelector("code")?.textContent ?? "");
      button.textContent = copied;
    });
    const frame = element("div");
    frame.className = "sample";
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

const CHOSEN = "qa-pay-docs-language";

/** The store of this browser; null where the reader has switched it off. */
function store(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** A language of code is chosen for all samples, and for the next page too. A link to a section of a language chooses it here. */
function startChoices(): void {
  const buttons = [...document.querySelectorAll<HTMLInputElement>(".tabs > input")];
  if (buttons.length === 0) return;
  document.documentElement.dataset.chosen = "";
  const choose = (name: string) => {
    for (const button of buttons) if (button.value === name) button.checked = true;
  };
  const follow = () => {
    const target = document.getElementById(location.hash.slice(1));
    const button = target?.closest(".tabs > section")?.previousElementSibling?.previousElementSibling;
    if (!(button instanceof HTMLInputElement)) return;
    choose(button.value);
    target?.scrollIntoView();
  };
  choose(store()?.getItem(CHOSEN) ?? "");
  follow();
  addEventListener("hashchange", follow);
  for (const button of buttons) {
    button.addEventListener("change", () => {
      const { top } = button.getBoundingClientRect();
      choose(button.value);
      store()?.setItem(CHOSEN, button.value);
      // Samples above have another length now. What the reader looks at stays where it is.
      scrollBy(0, button.getBoundingClientRect().top - top);
    });
  }
}

/** On a narrow screen the menu is closed at first. */
function foldMenu(): void {
  const menu = document.querySelector<HTMLDetailsElement>("details.all");
  if (menu !== null && matchMedia("(max-width: 800px)").matches) menu.open = false;
}

const area = document.querySelector<HTMLElement>("search");
const input = document.querySelector<HTMLInputElement>("search input");
const found = document.getElementById("found");
if (area !== null && input !== null && found !== null) startSearch(area, input, found);
addCopyButtons();
startChoices();
foldMenu();
