/** The checkout page: counts down on the emulated clock, copies codes, and follows the payment until it has ended. */

import { enableCodes } from "./copy.js";
import { createCountdown } from "./countdown.js";
import { followPayment } from "./live.js";
import { goBackSoon, showOutcome } from "./outcome.js";
import { enableSimulation } from "./simulation.js";

const page = JSON.parse(document.body.dataset.page);
const urlOf = (name) => `${page.path}/${name}${page.query}`;
const element = (id) => document.getElementById(id);

/** Announces a text to a screen reader, without moving the focus. */
function announce(text) {
  element("announcer").textContent = text;
}

function showNotice(text) {
  const notice = element("notice");
  if (text !== null && text !== notice.textContent) announce(text);
  notice.textContent = text ?? "";
  notice.hidden = text === null;
}

/** Removes the methods that are not possible any more. Returns true if all the others are on the page. */
function showMethods(methods) {
  for (const section of document.querySelectorAll("[data-method], [data-with]")) {
    if (!methods.includes(section.dataset.method ?? section.dataset.with)) section.remove();
  }
  return methods.every((method) => document.querySelector(`[data-method="${method}"]`) !== null);
}

let shown = page.state;

function show(state) {
  const before = shown;
  shown = state;
  // After a restore of older contents, the page must show removed parts again.
  if (!showMethods(state.methods) || (state.title === undefined && before.title !== undefined)) {
    location.reload();
    return;
  }
  showNotice(state.notice);
  countdown.set(state);
  simulation?.set(state);
  if (state.title === undefined) return;
  element("pay")?.remove();
  const isNew = state.title !== before.title || state.text !== before.text;
  if (isNew || state.actions.length !== before.actions.length) showOutcome(state, page.texts);
  if (isNew) focusOutcome();
  if (state.final) live.stop();
  if (isNew && page.redirect && state.status === "paid") goBackSoon(state, page.texts, announce);
}

/** A person at the simulation stays there, to continue with it. */
function focusOutcome() {
  if (!element("panel")?.contains(document.activeElement)) element("outcome").focus({ preventScroll: false });
}

function showGone() {
  showMethods([]);
  element("pay")?.remove();
  element("panel")?.remove();
  showOutcome({ ...page.texts.gone, tone: "bad", final: true, facts: [], actions: [] }, page.texts);
  focusOutcome();
}

const countdown = createCountdown({ texts: page.texts, announce, isOver: () => live.look() });
const simulation = enableSimulation({ url: urlOf("simulate"), texts: page.texts, show });
const live = followPayment({
  streamUrl: urlOf("stream"),
  statusUrl: urlOf("status"),
  show,
  gone: showGone,
  connected(isConnected) {
    element("connection").hidden = isConnected;
  },
});

/** Opens a part on screens that are wide enough, and folds it on others. */
function openFrom(width, selector) {
  const wide = matchMedia(`(min-width: ${width}px)`);
  const follow = () => {
    for (const details of document.querySelectorAll(selector)) details.open = wide.matches;
  };
  follow();
  wide.addEventListener("change", follow);
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    live.pause();
    countdown.pause();
  } else {
    live.resume();
    countdown.resume();
  }
});

enableCodes(announce);
// A phone cannot scan its own screen, and the simulation is not part of the payer's text there.
openFrom(600, ".scan");
openFrom(1280, ".moves");
countdown.set(page.state);
simulation?.set(page.state);
if (page.state.title !== undefined) showOutcome(page.state, page.texts);
if (page.state.final) live.stop();
else live.resume();
