import { type ComponentChildren, createContext } from "preact";

/** Whether a page stands beside the page that the address names. Such a page has no heading of the first level. */
export const IsBeside = createContext(false);

/**
 * A list and one of its objects: side by side on a wide screen, else the object alone. The object comes first for the keyboard:
 * nobody has to go through the rows of the list to reach it.
 */
export function Split({ list, children }: { list: ComponentChildren; children: ComponentChildren | null }) {
  if (children === null) return <>{list}</>;
  return (
    <div class="split">
      <div class="split-object">{children}</div>
      <div class="split-list">
        <IsBeside.Provider value={true}>{list}</IsBeside.Provider>
      </div>
    </div>
  );
}
