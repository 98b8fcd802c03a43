import { ICONS, type IconName } from "./icon-paths.js";

/** A picture beside a word, hidden from screen readers: a picture without a word needs a label of its own. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}
