import { signal } from "@preact/signals";
import { type ComponentChildren, createContext } from "preact";

/** True if a page stands beside the page of the address. Such a page has no heading of the first level. */
export const IsBeside = createContext(false);

/** The window width that an object and a list beside it need. */
const room = matchMedia("(min-width: 1700px)");
const hasRoom = signal(room.matches);
room.addEventListener("change", ({ matches }) => {
  hasRoom.value = matches;
});

/**
 * A list and one of its objects: side by side on a wide screen, else the object alone, and the list is not read. The object comes
 * first for the keyboard: nobody has to go through the rows of the list to reach it.
 */
export function Split({ list, children }: { list: ComponentChildren; children: ComponentChildren | null }) {
  if (children === null) return <>{list}</>;
  return (
    <div class={hasRoom.value ? "split" : undefined}>
      <div class="split-object">{children}</div>
      {hasRoom.value ? (
        <div class="split-list">
          <IsBeside.Provider value={true}>{list}</IsBeside.Provider>
        </div>
      ) : null}
    </div>
  );
}
