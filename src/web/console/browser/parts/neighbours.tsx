import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { fill } from "../../../../base/kernel/message.js";
import { Icon } from "./icon.js";
import { useListAddress } from "./list-address.js";
import { shared } from "./words.js";

/** The place of an object in the list from which the reader came, and the ways to the objects beside it. */

interface Neighbours {
  /** The place in the list, from 1. */
  readonly at: number;
  /** The number of rows; of those that are read, with a plus, when nothing says how many more there are. */
  readonly all: string;
  /** The paths of the pages before and after; null at the ends. */
  readonly previous: string | null;
  readonly next: string | null;
  /** Called when the reader goes to one of them. */
  readonly onOpen: (path: string) => void;
}

/** Finds the neighbours of an object; null when the reader came from elsewhere. */
export const NeighboursOf = createContext<(id: string) => Neighbours | null>(() => null);

export function NeighbourLinks({ id }: { id: string }) {
  const found = useContext(NeighboursOf)(id);
  const address = useListAddress();
  if (found === null) return null;
  const { at, all, previous, next, onOpen } = found;
  const link = (path: string | null, name: "previous" | "next", icon: "chevron-left" | "chevron-right") =>
    path === null ? null : (
      <a class="button small quiet" href={address(path)} aria-label={shared.value[name]} onClick={() => onOpen(path)}>
        <Icon name={icon} />
      </a>
    );
  return (
    <span class="level neighbours">
      {link(previous, "previous", "chevron-left")}
      {fill(shared.value.place_in_list, { at, all })}
      {link(next, "next", "chevron-right")}
    </span>
  );
}
