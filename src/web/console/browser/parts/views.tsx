import { namesOf } from "../../../../base/kernel/names.js";
import { useAddressWith } from "./list-address.js";

interface ViewsProps<Name extends string> {
  /** Their subject, for screen readers. */
  readonly label: string;
  /** The name of each view, by its value of `view` in the address. The first one needs no value. */
  readonly names: Readonly<Record<Name, string>>;
  readonly open: NoInfer<Name>;
  /** Parameters of the address that mean something in one view alone. */
  readonly own?: readonly string[];
}

/** The views of one page, side by side in its head, as links: each has an address. */
export function Views<Name extends string>({ label, names, open, own = [] }: ViewsProps<Name>) {
  const address = useAddressWith();
  const none = Object.fromEntries(own.map((name) => [name, ""]));
  return (
    <nav class="views" aria-label={label}>
      {namesOf(names).map((name, index) => (
        <a
          key={name}
          href={address({ ...none, view: index === 0 ? "" : name })}
          aria-current={name === open ? "page" : undefined}
        >
          {names[name]}
        </a>
      ))}
    </nav>
  );
}
