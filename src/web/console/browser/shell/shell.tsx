import type { ComponentChildren } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { Icon } from "../parts/icon.js";
import { book, withBook } from "../state/book.js";
import { texts } from "../state/language.js";
import { notice } from "../state/notice.js";
import { FaultChip } from "./fault-chip.js";
import { SEARCH_KEYS, startKeyboard } from "./keyboard.js";
import { Navigation } from "./navigation.js";
import { PalettePlace } from "./palette-place.js";
import { openPalette } from "./palette-state.js";
import { Recording } from "./recording.js";
import { Strip } from "./strip.js";
import { TimeBar } from "./time-bar.js";
import { BookChooser, ConnectionBanner, ConnectionMark } from "./top.js";

/** The frame of every page: book, search, recording, time bar, menu, and command strip. */

const words = texts("shell");

export function Shell({ children }: { children: ComponentChildren }) {
  const { route } = useLocation();
  // Before the browser paints: a later effect would lose a key that is pressed at once.
  useLayoutEffect(() => startKeyboard(route), []);
  return (
    <div class={book.value.mode === "live" ? "shell shell-live" : "shell"}>
      <a class="skip" href="#content">
        {words.value.skip}
      </a>
      <header class="level top">
        <a class="level brand" href={withBook("/console/")}>
          <span class="brand-mark" aria-hidden="true">
            q
          </span>
          <span class="brand-name">qa-pay</span>
        </a>
        <BookChooser />
        <button type="button" class="search" onClick={openPalette} aria-keyshortcuts="Control+K Meta+K">
          <Icon name="search" />
          <span class="cut search-text">{words.value.search}</span> <kbd>{SEARCH_KEYS}</kbd>
        </button>
        <FaultChip />
        <Recording />
        <ConnectionMark />
      </header>
      <TimeBar />
      {book.value.mode === "live" ? <p class="live-note warn">{words.value.live_book}</p> : null}
      <div class="bands">
        <ConnectionBanner />
      </div>
      <Navigation />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <Strip />
      <output class="sheet notice">{notice.value}</output>
      <PalettePlace />
    </div>
  );
}
