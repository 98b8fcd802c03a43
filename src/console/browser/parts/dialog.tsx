import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { shared } from "./words.js";

/** A modal dialog of the browser: it keeps the focus inside, closes with Escape, and gives the focus back. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const place = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    place.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog ref={place} aria-labelledby={id} onClose={onClose}>
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="small" onClick={() => place.current?.close()}>
          {shared.value.close}
        </button>
      </header>
      {children}
    </dialog>
  );
}
