import { useSignal } from "@preact/signals";
import { shared } from "./words.js";

const SHOWN_MS = 1_500;

async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  // Without a secure context the browser has no clipboard: the older way is to select the text and copy the selection.
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

/** A button that copies a text, and says that it did. */
export function Copy({ text, label }: { text: string | (() => string); label?: string }) {
  const isCopied = useSignal(false);
  const copy = async () => {
    await copyText(typeof text === "string" ? text : text());
    isCopied.value = true;
    setTimeout(() => {
      isCopied.value = false;
    }, SHOWN_MS);
  };
  return (
    <button type="button" class="small" onClick={() => void copy()}>
      <span aria-live="polite">{isCopied.value ? shared.value.copied : (label ?? shared.value.copy)}</span>
    </button>
  );
}
