import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface TableFrameProps {
  /** The caption of the table: it names the frame too. */
  readonly label: string;
  readonly kind?: "breaks" | "cards";
  readonly children: ComponentChildren;
}

/**
 * The frame of a table, which scrolls sideways where the page is narrow. While it has something to scroll, it is a stop of
 * the keyboard with a name: else only a pointer would reach its last columns.
 */
export function TableFrame({ label, kind, children }: TableFrameProps) {
  const frame = useRef<HTMLElement>(null);
  const scrolls = useSignal(false);
  useEffect(() => {
    const { current } = frame;
    if (current === null) return;
    const observer = new ResizeObserver(() => {
      scrolls.value = current.scrollWidth > current.clientWidth;
    });
    for (const one of [current, ...current.children]) observer.observe(one);
    return () => observer.disconnect();
  }, []);
  const stop = scrolls.value ? { tabIndex: 0, "aria-label": label } : {};
  return (
    <section ref={frame} class={kind === undefined ? "table-frame" : `table-frame ${kind}`} {...stop}>
      {children}
    </section>
  );
}
