import { ICONS, type IconName } from "./icon-paths.js";

/** A picture beside a word. It says nothing to a screen reader: what has no word beside it needs a label of its own. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}
