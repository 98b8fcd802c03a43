import { useRef } from "preact/hooks";
import { connection } from "../state/connection.js";
import { terms } from "../state/language.js";
import { Icon } from "./icon.js";
import { MenuButton, type MenuItem } from "./menu.js";
import type { Move } from "./moves.js";
import { shared } from "./words.js";

interface MoreProps {
  /** For the order of the moves among which it stands. */
  readonly label: string;
  readonly of: readonly Move[];
  /** Links and files below the actions. */
  readonly also?: readonly MenuItem[];
}

/**
 * Rare actions that need input or a confirmation, behind one button. Their own buttons stay on the page, hidden, so
 * that the dialog of an action remains when its menu has closed.
 */
export function MoreActions({ of, also = [] }: MoreProps) {
  const place = useRef<HTMLSpanElement>(null);
  const press = (index: number) =>
    place.current?.querySelectorAll<HTMLElement>(":scope > .action > button")[index]?.click();
  return (
    <>
      <MenuButton
        label={terms.value.more_actions}
        class="more-actions"
        side="end"
        off={connection.isWorking ? undefined : shared.value.cut_off}
        items={[
          ...of.map(({ props: { label, disabled } }, index) => ({
            key: label,
            label,
            off: disabled ?? undefined,
            run: () => press(index),
          })),
          ...also,
        ]}
      >
        <Icon name="dots" />
      </MenuButton>
      <span ref={place} class="behind-menu">
        {of}
      </span>
    </>
  );
}
