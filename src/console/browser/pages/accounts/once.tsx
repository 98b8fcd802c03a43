import { Copy } from "../../parts/copy.js";
import { texts } from "../../state/language.js";

const words = texts("accounts");

/** Secrets that the service shows once, each with a button that copies it. */
export function ShownOnce({ secrets }: { secrets: readonly (readonly [label: string, text: string])[] }) {
  return (
    <span class="once">
      <strong>{words.value.once}</strong>
      {secrets.map(([label, text]) => (
        <span key={label}>
          {label}: <code>{text}</code> <Copy text={text} />
        </span>
      ))}
    </span>
  );
}

/** The line that gives a program its key. */
export function envLine(key: string): string {
  return `QA_PAY_API_KEY=${key}`;
}
