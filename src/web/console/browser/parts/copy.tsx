import { useSignal } from "@preact/signals";
import { terms } from "../state/language.js";
import { Icon } from "./icon.js";
import { shared } from "./words.js";

const SHOWN_MS = 1_500;

/** Copies a text, also at addresses where the browser offers no clipboard. */
export async function copyText(text: string): Promise<void> {
  try {
    return await navigator.clipboard.writeText(text);
  } catch {
    // Without a secure context the browser has no clipboard, and it may refuse its use: the older way follows.
  }
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  // While a dialog is open, nothing outside of it can be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
}

/** A button that copies a text, and confirms it. */
export function Copy({
  text,
  label,
  about,
  isMain = false,
}: {
  text: string | (() => string);
  /** Empty for a button that is only a picture; `about` is then its name. */
  label?: string;
  about?: string;
  /** True for the main action of a page. */
  isMain?: boolean;
}) {
  const isCopied = useSignal(false);
  const copy = async () => {
    await copyText(typeof text === "string" ? text : text());
    isCopied.value = true;
    setTimeout(() => {
      isCopied.value = false;
    }, SHOWN_MS);
  };
  return (
    <button
      type="button"
      class={isMain ? "main" : "small quiet"}
      aria-label={about}
      title={about}
      onClick={() => void copy()}
    >
      <Icon name={isCopied.value ? "check" : "copy"} />
      <span aria-live="polite">{isCopied.value ? shared.value.copied : (label ?? terms.value.copy)}</span>
    </button>
  );
}
