import { fill } from "../../../kernel/message.js";
import { connection } from "../state/connection.js";
import { language, texts } from "../state/language.js";
import { shortTime } from "../words/time.js";

const words = texts("connection_mark");

/** A connection that is well is a dot; one that is not has a word. */
export function ConnectionMark() {
  const { state } = connection.current.value;
  const isCut = state === "cut off" || state === "logged out";
  return (
    <span
      class={`connection connection-${isCut ? "cut" : state}`}
      role="img"
      aria-label={words.value[state]}
      title={words.value[state]}
    >
      {isCut ? words.value[state] : null}
    </span>
  );
}

/** What to do while there is no connection. Everything that was read stays readable. */
export function ConnectionBanner() {
  const current = connection.current.value;
  if (!("since" in current)) return <div role="status" />;
  return (
    <div role="status" class="banner">
      {current.state === "logged out" ? (
        <>
          {words.value.session} <code>qa-pay console</code>
        </>
      ) : (
        <>
          {fill(words.value.cut, { since: shortTime(current.since, language.value), address: location.host })}{" "}
          <code>qa-pay console</code>
        </>
      )}
    </div>
  );
}
