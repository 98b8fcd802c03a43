import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { shared } from "./words.js";

const FIELDS = "input:not([type=checkbox], [type=file]), select, textarea";

/**
 * A modal dialog of the browser: its first field has the focus, which stays inside; Escape closes it and returns the
 * focus. It is open as long as it is on the page: a browser reports a close later, when it may be open again.
 */
export function Dialog({
  title,
  onClose,
  isDrawer = false,
  isBare = false,
  children,
}: {
  title: string;
  onClose: () => void;
  /** True if it stands at the side of the window, over its whole height. */
  isDrawer?: boolean;
  /** True if its first field says what it is: its title is for screen readers, and a press beside it closes it. */
  isBare?: boolean;
  children: ComponentChildren;
}) {
  const place = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = place.current;
    dialog?.showModal();
    // The browser focuses the first control, which is the button that closes.
    dialog?.querySelector<HTMLElement>(FIELDS)?.focus();
    // The browser returns the focus. A page that was chosen in the dialog takes it afterwards.
    return () => dialog?.close();
  }, []);
  const onCancel = (event: Event) => {
    event.preventDefault();
    onClose();
  };
  /** The backdrop is a part of the dialog, outside of its box. */
  const onClick = ({ target, clientX, clientY }: MouseEvent) => {
    const box = place.current?.getBoundingClientRect();
    if (!isBare || box === undefined || target !== place.current) return;
    if (clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom) onClose();
  };
  const kind = isBare ? "bare" : "";
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too.
    <dialog
      ref={place}
      class={`sheet ${isDrawer ? "drawer" : kind}`}
      aria-labelledby={id}
      onCancel={onCancel}
      onClick={onClick}
      onClose={() => place.current !== null && onClose()}
    >
      {isBare ? (
        <h2 id={id} class="visually-hidden">
          {title}
        </h2>
      ) : (
        <header class="level dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="small" onClick={onClose}>
            {shared.value.close}
          </button>
        </header>
      )}
      {children}
    </dialog>
  );
}
