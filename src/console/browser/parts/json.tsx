import { Copy } from "./copy.js";

/** JSON values as elements: nothing of a value can become markup. */

/** More members than this are folded at first. */
const FOLDED_FROM = 30;

function Leaf({ value }: { value: unknown }) {
  const kind = value === null ? "null" : typeof value;
  return <span class={`json-${kind}`}>{JSON.stringify(value)}</span>;
}

function Member({ name, value, depth }: { name: string | null; value: unknown; depth: number }) {
  const label = name === null ? null : <span class="json-name">{name}: </span>;
  if (typeof value !== "object" || value === null) {
    return (
      <li>
        {label}
        <Leaf value={value} />
      </li>
    );
  }
  const members = Object.entries(value);
  const brackets = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (members.length === 0) {
    return (
      <li>
        {label}
        {brackets.join("")}
      </li>
    );
  }
  return (
    <li>
      <details open={depth < 3 && members.length < FOLDED_FROM}>
        <summary>
          {label}
          {brackets[0]}
          <span class="json-count"> {members.length} </span>
          {brackets[1]}
        </summary>
        <ul>
          {members.map(([key, member]) => (
            <Member key={key} name={Array.isArray(value) ? null : key} value={member} depth={depth + 1} />
          ))}
        </ul>
      </details>
    </li>
  );
}

/** A JSON value as a tree that can be folded, with a button that copies it. */
export function Json({ value, label }: { value: unknown; label: string }) {
  return (
    <figure class="json">
      <figcaption>
        {label} <Copy text={() => JSON.stringify(value, null, 2)} />
      </figcaption>
      <ul>
        <Member name={null} value={value} depth={0} />
      </ul>
    </figure>
  );
}

/** A text of any kind in fixed width, as it is: an answer of a receiver, a header, a script. */
export function Code({ text, label }: { text: string; label?: string }) {
  return (
    <figure class="code">
      <figcaption>
        {label} <Copy text={text} />
      </figcaption>
      <pre>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
