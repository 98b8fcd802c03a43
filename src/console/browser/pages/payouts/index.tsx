import type { OperationAnswer } from "../../../../client/types.js";
import { payoutMachine } from "../../../../features/payouts/machine.js";
import { useCall } from "../../api/use-call.js";
import { Action, Actions, FormAction } from "../../parts/action.js";
import { Facts, Page, Section, Show } from "../../parts/page.js";
import { Split } from "../../parts/split.js";
import { Money, Status, Time } from "../../parts/values.js";
import { menuWords } from "../../shell/menu.js";
import { CaseFile } from "../../timeline/case-file-actions.js";
import { TimelineOf, useStory } from "../../timeline/timeline.js";
import { moveFacts } from "../../words/machine-move.js";
import { PayoutList } from "./list.js";
import { words } from "./words.js";

type Payout = OperationAnswer<"sandbox.payouts.get">;

function PayoutActions({ payout: { id, status } }: { payout: Payout }) {
  const { value } = words;
  return (
    <Section title={value.actions}>
      <Actions>
        <Action
          id="sandbox.payouts.pay"
          label={value.pay}
          kind="main"
          input={{ params: { id } }}
          {...moveFacts(payoutMachine, status, ["pay"])}
        />
        <FormAction
          id="sandbox.payouts.fail"
          label={value.fail}
          {...moveFacts(payoutMachine, status, ["fail"])}
          fields={[{ name: "reason", label: value.reason }]}
          input={({ reason }) => ({
            params: { id },
            body: reason === undefined || reason.trim() === "" ? {} : { reason },
          })}
        />
      </Actions>
    </Section>
  );
}

function PayoutFacts({ payout }: { payout: Payout }) {
  const { value } = words;
  const { destination, created_at, failure_reason, end_to_end_id } = payout;
  return (
    <Facts
      of={[
        [value.to, `${destination.pix_key} (${destination.pix_key_type})`],
        [value.created, <Time at={created_at} />],
        [value.failure, failure_reason],
        [value.end_to_end, end_to_end_id],
      ]}
    />
  );
}

function PayoutPage({ id }: { id: string }) {
  const { state } = useCall("sandbox.payouts.get", { params: { id } }, { on: ["payout"] });
  const story = useStory(id);
  const payout = state.value.data;
  return (
    <Page
      title={id}
      command={{ id: "sandbox.timeline", input: { params: { id } } }}
      above={{ href: "/console/payouts", title: menuWords.value.payouts }}
      facts={
        payout === null ? undefined : (
          <>
            <Money amount={payout.amount} currency={payout.currency} />
            <Status status={payout.status} />
          </>
        )
      }
    >
      <Show of={state.value}>
        {(shown) => (
          <>
            <PayoutFacts payout={shown} />
            <PayoutActions payout={shown} />
            <Show of={story.state.value}>
              {(told) => (
                <>
                  <CaseFile story={told} head={shown} objects={[{ title: words.value.object, value: shown }]} />
                  <TimelineOf story={told} />
                </>
              )}
            </Show>
          </>
        )}
      </Show>
    </Page>
  );
}

export function Payouts({ id }: { id?: string }) {
  return <Split list={<PayoutList open={id} />}>{id === undefined ? null : <PayoutPage key={id} id={id} />}</Split>;
}
