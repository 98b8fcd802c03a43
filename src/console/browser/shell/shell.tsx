import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { book, withBook } from "../state/book.js";
import { texts } from "../state/language.js";
import { Badge, isBadge, useBadges } from "./badges.js";
import { BookChooser } from "./book-chooser.js";
import { ClockBar } from "./clock-bar.js";
import { ConnectionBanner, ConnectionMark } from "./connection-mark.js";
import { FaultBand } from "./fault-band.js";
import { startKeyboard } from "./keyboard.js";
import { MENU, menuWords } from "./menu.js";
import { PalettePlace } from "./palette-place.js";
import { openPalette } from "./palette-state.js";
import { Strip } from "./strip.js";

/** The frame of every page: menu, book, clock, connection and command strip. */

const words = texts(
  {
    skip: "Skip to the content",
    menu: "Pages",
    live_book: "LIVE: the book of the live keys. It is still an emulator, and no money moves.",
    search: "Search",
  },
  {
    skip: "Ir para o conteúdo",
    menu: "Páginas",
    live_book: "LIVE: o livro das chaves live. Continua sendo um emulador, e nenhum dinheiro se move.",
    search: "Buscar",
  },
);

function isOpen(path: string, own: string): boolean {
  const bare = own.replace(/\/$/, "");
  return bare === "/console" ? path === bare : path === bare || path.startsWith(`${bare}/`);
}

function Menu() {
  const { path } = useLocation();
  const badges = useBadges(MENU.find(({ path: own }) => isOpen(path, own))?.name ?? "");
  const shownBadges = Object.values(badges).filter((count) => count > 0).length;
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const menu = place.current;
    const item = menu?.querySelector<HTMLElement>("[aria-current]");
    // On a narrow screen the menu is one row, which would show its beginning alone.
    if (menu && item) menu.scrollLeft = item.offsetLeft - (menu.clientWidth - item.offsetWidth) / 2;
  }, [path, shownBadges]);
  return (
    <nav ref={place} class="menu" aria-label={words.value.menu}>
      <ul>
        {MENU.map(({ name, path: own }) => (
          <li key={name}>
            <a href={withBook(own)} aria-current={isOpen(path, own) ? "page" : undefined}>
              {menuWords.value[name]}
              {isBadge(name) ? <Badge name={name} count={badges[name]} /> : null}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export function Shell({ children }: { children: ComponentChildren }) {
  const { route } = useLocation();
  // Before the browser paints: a later effect would lose a key that is pressed at once.
  useLayoutEffect(() => startKeyboard(route), []);
  return (
    <div class={book.value.mode === "live" ? "shell shell-live" : "shell"}>
      <a class="skip" href="#content">
        {words.value.skip}
      </a>
      <header class="top">
        <a class="brand" href={withBook("/console/")}>
          qa-pay
        </a>
        <BookChooser />
        <ClockBar />
        <ConnectionMark />
        <button type="button" class="small" onClick={openPalette} aria-keyshortcuts="Control+K Meta+K">
          {words.value.search} <kbd>⌘K</kbd>
        </button>
      </header>
      {book.value.mode === "live" ? <p class="live-note">{words.value.live_book}</p> : null}
      <div class="bands">
        <ConnectionBanner />
        <FaultBand />
      </div>
      <Menu />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <Strip />
      <PalettePlace />
    </div>
  );
}
