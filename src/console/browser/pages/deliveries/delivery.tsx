import { parseDuration } from "../../../../kernel/duration.js";
import { useCall } from "../../api/use-call.js";
import { AttemptMarks } from "../../parts/attempt-marks.js";
import { Facts, Page, Section, Show } from "../../parts/page.js";
import { Countdown, ObjectLink, Status, Time } from "../../parts/values.js";
import { menuWords } from "../../shell/menu.js";
import { DeliveryActions } from "./actions.js";
import { AttemptPart } from "./attempt.js";
import { SignaturePart } from "./signature.js";
import type { Delivery } from "./types.js";
import { words } from "./words.js";

/** The first wait of the retry schedule. */
function useRetryBase(): number | null {
  const flags = useCall("sandbox.settings", {}).state.value.data?.flags ?? [];
  const value = flags.find(({ flag }) => flag.replace(/^-+/, "") === "retry-base")?.value;
  return typeof value === "string" ? parseDuration(value) : null;
}

function DeliveryFacts({ of }: { of: Delivery }) {
  const { subject, endpointId, url, createdAt, deliveredAt, nextRetryAt, attempts, maxAttempts } = of;
  return (
    <Facts
      of={[
        [words.value.about, <ObjectLink key="about" id={subject} />],
        [
          words.value.endpoint,
          endpointId === null ? words.value.private_target : <ObjectLink key="to" id={endpointId} />,
        ],
        [
          words.value.to,
          <span key="url" class="path">
            {url}
          </span>,
        ],
        [words.value.attempts, words.value.attempts_of(attempts, maxAttempts)],
        [words.value.created, <Time key="created" at={createdAt} />],
        [words.value.delivered, deliveredAt === null ? null : <Time key="delivered" at={deliveredAt} />],
        [
          words.value.next,
          nextRetryAt === null ? null : (
            <span key="next">
              <Time at={nextRetryAt} /> (<Countdown to={nextRetryAt} />)
            </span>
          ),
        ],
      ]}
    />
  );
}

function Details({ of }: { of: Delivery }) {
  const baseMs = useRetryBase();
  const last = of.attempts_log.at(-1);
  return (
    <>
      <DeliveryFacts of={of} />
      <Section title={words.value.attempts}>
        {last === undefined ? <p class="hint">{words.value.no_attempt}</p> : null}
        {[...of.attempts_log].reverse().map((attempt) => (
          <AttemptPart
            key={attempt.number}
            attempt={attempt}
            delivery={of}
            baseMs={baseMs}
            isLatest={attempt === last}
          />
        ))}
      </Section>
      {last === undefined ? null : <SignaturePart delivery={of} attempt={last} />}
    </>
  );
}

export function DeliveryPage({ id }: { id: string }) {
  const { state } = useCall(
    "sandbox.deliveries.get",
    { params: { id } },
    { on: ({ kind, data }) => (kind === "attempt" || kind === "sending") && data.id === id },
  );
  const delivery = state.value.data;
  return (
    <Page
      title={delivery?.eventType ?? id}
      id={id}
      command={{ id: "sandbox.deliveries.get", input: { params: { id } } }}
      facts={
        delivery === null ? undefined : (
          <>
            <Status status={delivery.status} /> <AttemptMarks status={delivery.status} attempts={delivery.attempts} />
          </>
        )
      }
      actions={delivery === null ? undefined : <DeliveryActions of={delivery} />}
      above={{ href: "/console/deliveries", title: menuWords.value.deliveries }}
    >
      <Show of={state.value}>{(data) => <Details of={data} />}</Show>
    </Page>
  );
}
