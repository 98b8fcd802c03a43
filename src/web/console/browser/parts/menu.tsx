import { useSignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icon.js";
import type { IconName } from "./icon-paths.js";

/** A button that opens a list of actions. Nothing happens until one is chosen, unlike with a `<select>`. */

export interface MenuItem {
  readonly key: string;
  readonly label: ComponentChildren;
  readonly icon?: IconName;
  /** For one of several choices: true for the present one. */
  readonly isChosen?: boolean;
  /** The keys that do the same. */
  readonly keys?: string;
  /** A line above this item separates it from those before. */
  readonly isApart?: boolean;
  /** The reason why it is not possible now. It can still be focused, so that everybody finds the reason. */
  readonly off?: string | undefined;
  /** The address to open; without one, `run` is called. */
  readonly href?: string;
  /** True for an address outside of the console, which opens a window of its own. */
  readonly isElsewhere?: boolean;
  readonly run?: () => void;
}

interface MenuButtonProps {
  /** The name of the button for screen readers, if its content is not enough. */
  readonly label?: string;
  /** The purpose of the button, if its content shows the present choice. */
  readonly title?: string;
  readonly children: ComponentChildren;
  readonly items: readonly MenuItem[];
  readonly class?: string;
  readonly disabled?: boolean;
  /** The reason why no item is possible now. The button can still be focused, so that everybody finds the reason. */
  readonly off?: string | undefined;
  /** The end of the button at which the list begins. */
  readonly side?: "start" | "end" | "above";
}

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => (at >= last ? 0 : at + 1),
  ArrowUp: (at, last) => (at <= 0 ? last : at - 1),
  Home: () => 0,
  End: (_at, last) => last,
};

/**
 * The items of an open menu: the arrows move between them, a letter goes to the next one that begins with it. The focus
 * and the keys are set before the browser draws, so that a key pressed at once is not lost.
 */
function Items({ items, id, onClose }: Pick<MenuButtonProps, "items"> & { id: string; onClose: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const all = () => [...(place.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
  useLayoutEffect(() => {
    const chosen = place.current?.querySelector<HTMLElement>("[aria-checked=true]");
    (chosen ?? all()[0])?.focus();
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const found = all();
    const at = found.findIndex((one) => one.contains(document.activeElement));
    const { key } = event;
    const to = STEPS[key]?.(at, found.length - 1);
    const starts = (one: HTMLElement) => one.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()) === true;
    if (to !== undefined) found[to]?.focus();
    else if (/^[^\s]$/.test(key)) [...found.slice(at + 1), ...found].find(starts)?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <div ref={place} id={id} role="menu" class="sheet menu-items" onKeyDown={onKeyDown}>
      {items.map(({ key, label, icon, keys, isChosen, isApart, off, isElsewhere, href, run }) => {
        const shared = {
          role: isChosen === undefined ? "menuitem" : "menuitemradio",
          "aria-checked": isChosen,
          "aria-disabled": off === undefined ? undefined : ("true" as const),
          tabIndex: -1,
          class: isApart === true ? "level menu-item apart" : "level menu-item",
        } as const;
        const choose = () => {
          if (off !== undefined) return;
          onClose();
          run?.();
        };
        const content = (
          <>
            {icon === undefined ? null : <Icon name={icon} />}
            {off === undefined ? (
              <span>{label}</span>
            ) : (
              <span>
                {label} <span class="hint">{off}</span>
              </span>
            )}
            {keys === undefined ? null : <kbd>{keys}</kbd>}
            {isChosen === true ? <Icon name="check" /> : null}
          </>
        );
        return href === undefined ? (
          <button key={key} type="button" {...shared} onClick={choose}>
            {content}
          </button>
        ) : (
          <a
            key={key}
            href={href}
            {...(isElsewhere === true ? { target: "_blank", rel: "noreferrer" } : {})}
            {...shared}
            onClick={onClose}
          >
            {content}
          </a>
        );
      })}
    </div>
  );
}

/** Closes an open menu on Escape, and when the focus or the pointer goes elsewhere. */
function useClosing(isOpen: boolean, place: RefObject<HTMLElement | null>, close: (goesBack: boolean) => void): void {
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const over = new AbortController();
    const { signal } = over;
    const closeOutside = (target: EventTarget | null) => {
      if (target instanceof Node && place.current?.contains(target) !== true) close(false);
    };
    document.addEventListener("pointerdown", ({ target }) => closeOutside(target), { signal });
    document.addEventListener("focusin", ({ target }) => closeOutside(target), { signal });
    place.current?.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape" && event.key !== "Tab") return;
        if (event.key === "Escape") event.preventDefault();
        close(event.key === "Escape");
      },
      { signal },
    );
    return () => over.abort();
  }, [isOpen]);
}

/** A menu closes when an item is chosen, when the focus leaves it, and when no item is possible any more. */
export function MenuButton(props: MenuButtonProps) {
  const { label, title, children, items, class: kind, disabled, off, side = "start" } = props;
  const isOpen = useSignal(false);
  const place = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = (goesBack: boolean) => {
    isOpen.value = false;
    if (goesBack) button.current?.focus();
  };
  useClosing(isOpen.value, place, close);
  useLayoutEffect(() => {
    if (off !== undefined && isOpen.value) close(true);
  }, [off]);
  return (
    <span ref={place} class={`menu-place menu-${side}`}>
      <button
        ref={button}
        type="button"
        class={kind}
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        aria-controls={isOpen.value ? id : undefined}
        aria-label={label}
        aria-disabled={off === undefined ? undefined : "true"}
        aria-describedby={off === undefined ? undefined : `${id}-off`}
        title={off ?? label ?? title}
        disabled={disabled}
        onClick={() => {
          isOpen.value = !isOpen.value && off === undefined;
        }}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" || isOpen.value || off !== undefined) return;
          event.preventDefault();
          isOpen.value = true;
        }}
      >
        {children}
        <Icon name="chevron-down" />
      </button>
      {off === undefined ? null : (
        <span id={`${id}-off`} class="reason" hidden>
          {off}
        </span>
      )}
      {isOpen.value ? <Items items={items} id={id} onClose={() => close(true)} /> : null}
    </span>
  );
}
