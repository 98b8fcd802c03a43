import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { Icon } from "../parts/icon.js";
import { book, withBook } from "../state/book.js";
import { texts } from "../state/language.js";
import { notice } from "../state/notice.js";
import { FaultBand, useFaults } from "./fault-band.js";
import { SEARCH_KEYS, startKeyboard } from "./keyboard.js";
import { Navigation } from "./navigation.js";
import { PalettePlace } from "./palette-place.js";
import { openPalette } from "./palette-state.js";
import { Strip } from "./strip.js";
import { BookChooser, ClockBar, ConnectionBanner, ConnectionMark } from "./top.js";

/** The frame of every page: menu, book, search, clock, connection and command strip. */

const words = texts("shell");

export function Shell({ children }: { children: ComponentChildren }) {
  const { route } = useLocation();
  // Before the browser paints: a later effect would lose a key that is pressed at once.
  useLayoutEffect(() => startKeyboard(route), []);
  const faults = useFaults();
  // The band above the page pushes it down, so the page is shown once it is known if the band exists.
  const isSeen = useRef(false);
  isSeen.current ||= faults.isRead;
  return (
    <div class={book.value.mode === "live" ? "shell shell-live" : "shell"}>
      <a class="skip" href="#content">
        {words.value.skip}
      </a>
      <header class="top">
        <a class="brand" href={withBook("/console/")}>
          <span class="brand-mark" aria-hidden="true">
            q
          </span>
          <span class="brand-name">qa-pay</span>
        </a>
        <BookChooser />
        <button type="button" class="search" onClick={openPalette} aria-keyshortcuts="Control+K Meta+K">
          <Icon name="search" />
          <span class="search-text">{words.value.search}</span> <kbd>{SEARCH_KEYS}</kbd>
        </button>
        <ClockBar />
        <ConnectionMark />
      </header>
      {book.value.mode === "live" ? <p class="live-note">{words.value.live_book}</p> : null}
      <div class="bands">
        <ConnectionBanner />
        <FaultBand count={faults.count} />
      </div>
      <Navigation />
      <main id="content" tabIndex={-1} class={isSeen.current ? undefined : "unseen"}>
        {children}
      </main>
      <Strip />
      <output class="notice">{notice.value}</output>
      <PalettePlace />
    </div>
  );
}
