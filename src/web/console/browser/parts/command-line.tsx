import { lineHere } from "../shell/strip.js";
import { Copy } from "./copy.js";

/** A command that does the same as a page, with a button that copies it. */
export function CommandLine({ of }: { of: string }) {
  return (
    <span class="flow">
      <code>{lineHere(of)}</code> <Copy text={() => lineHere(of)} />
    </span>
  );
}
