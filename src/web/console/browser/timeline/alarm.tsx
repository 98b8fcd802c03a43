import type { ComponentChildren } from "preact";
import { fill } from "../../../../base/kernel/message.js";
import { Actions } from "../parts/action.js";
import { Icon } from "../parts/icon.js";
import { Countdown } from "../parts/values.js";
import { act } from "../resource/act.js";
import { objectPage } from "../shell/menu.js";
import { withBook } from "../state/book.js";
import { texts } from "../state/language.js";
import { hostOf } from "../words/delivery-facts.js";
import { AttemptText } from "./branch.js";
import { type Alarm, alarmOf } from "./event-deliveries.js";
import type { TimelineAnswer } from "./model.js";
import { failureOf } from "./wording.js";

/** The one alarm of an object: which endpoint has not accepted which event, why, and when the next try comes. */

const words = texts("alarm");

function headline({ type, deliveries, arrived, delivery, next }: Alarm): string {
  const { value } = words;
  const host = hostOf(String(delivery.data.url));
  if (deliveries.length > 1) return fill(value.some, { type, arrived, all: deliveries.length });
  return next === null
    ? fill(value.given_up, { type, host, count: Number(delivery.data.attempts ?? 0) })
    : fill(value.not_yet, { type, host });
}

/** The last attempt, in plain words where nobody listens. */
function Reason({ of: { failure, delivery } }: { of: Alarm }) {
  const isAlone = failureOf(failure).error?.includes("ECONNREFUSED") === true;
  if (isAlone) return <>{fill(words.value.nobody, { host: hostOf(String(delivery.data.url)) })}</>;
  return (
    <>
      <AttemptText item={failure} isShort={true} />.
    </>
  );
}

interface AlarmProps {
  readonly timeline: TimelineAnswer;
  /** The reason and the remedy, if they are known better than from the last attempt. */
  readonly reason?: ComponentChildren;
}

/** It is amber while tries are left, and red when none are. */
export function AlarmBox({ timeline, reason }: AlarmProps) {
  const alarm = alarmOf(timeline);
  if (alarm === null) return null;
  const { delivery, next, others } = alarm;
  return (
    <div class={next === null ? "t-trouble" : "t-trouble t-trouble-warn"}>
      <Icon name="alert-triangle" />
      <p>
        <strong>{headline(alarm)}</strong> {reason ?? <Reason of={alarm} />}{" "}
        {next === null ? null : (
          <>
            {words.value.next_try} <Countdown to={next} />.{" "}
          </>
        )}
        <a href={withBook(objectPage(delivery.id) ?? "")}>{words.value.delivery}</a>
        {others === 0 ? null : ` · ${fill(words.value.others, { count: others })}`}
      </p>
      {next === null ? null : (
        <Actions>
          {act("sandbox.clock.advance", {
            label: words.value.run_now,
            kind: "small",
            body: { to: next },
            done: () => null,
          })}
        </Actions>
      )}
    </div>
  );
}
