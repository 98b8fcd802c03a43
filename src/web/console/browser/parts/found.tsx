import { language } from "../state/language.js";
import { type Found, foundLine } from "../words/found.js";
import { Dotted } from "./items.js";
import { Status } from "./values.js";

/** A result of the search in one line, such as `R$ 349,00 ✓ Paid · Luíza Cavalcanti · 4 Dec`. Its id is the title. */
export function FoundText({ of }: { of: Found }) {
  const { text, status, rest } = foundLine(of, language.value);
  return (
    <span class="found" title={of.id}>
      <b>{text}</b> {status === null ? null : <Status status={status} />}{" "}
      <span class="found-rest">
        <Dotted of={rest} />
      </span>
    </span>
  );
}
