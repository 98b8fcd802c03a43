import { Copy } from "./copy.js";

/** JSON values as elements: no part of a value can become markup. */

/** From this number of members on, an object is folded at first. */
const FOLDED_FROM = 30;

function Leaf({ value }: { value: unknown }) {
  const kind = value === null ? "null" : typeof value;
  return <span class={`json-${kind}`}>{JSON.stringify(value)}</span>;
}

interface MemberProps {
  readonly name: string | null;
  readonly value: unknown;
  readonly depth: number;
  /** The dotted path of this member from the root, which is empty. */
  readonly path: string;
  /** The dotted paths of members that are marked. */
  readonly marks: readonly string[];
}

function Member({ name, value, depth, path, marks }: MemberProps) {
  const isMarked = path !== "" && marks.includes(path);
  const text = isMarked ? <mark>{name ?? path}</mark> : name;
  const label = text === null ? null : <span class="json-name">{text}: </span>;
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
      <details open={(depth < 3 && members.length < FOLDED_FROM) || marks.some((one) => one.startsWith(`${path}.`))}>
        <summary>
          {label}
          {brackets[0]}
          <span class="json-count"> {members.length} </span>
          {brackets[1]}
        </summary>
        <ul>
          {members.map(([key, member]) => (
            <Member
              key={key}
              name={Array.isArray(value) ? null : key}
              value={member}
              depth={depth + 1}
              path={path === "" ? key : `${path}.${key}`}
              marks={marks}
            />
          ))}
        </ul>
      </details>
    </li>
  );
}

interface JsonProps {
  readonly value: unknown;
  readonly label: string;
  /** The dotted paths of members that are marked, such as `customer.name`. */
  readonly marks?: readonly string[];
}

/** A JSON value as a tree that can be folded, with a button that copies it. */
export function Json({ value, label, marks = [] }: JsonProps) {
  return (
    <figure class="stack json">
      <figcaption class="flow">
        {label} <Copy text={() => JSON.stringify(value, null, 2)} />
      </figcaption>
      <ul>
        <Member name={null} value={value} depth={0} path="" marks={marks} />
      </ul>
    </figure>
  );
}

/** A text of any kind in fixed width, unchanged: an answer of a receiver, a header, a script. */
export function Code({ text, label }: { text: string; label?: string }) {
  return (
    <figure class="stack code">
      <figcaption class="flow">
        {label} <Copy text={text} />
      </figcaption>
      <pre class="sunken">
        <code>{text}</code>
      </pre>
    </figure>
  );
}
