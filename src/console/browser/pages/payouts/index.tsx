import type { OperationAnswer } from "../../../../client/types.js";
import { payoutMachine } from "../../../../features/payouts/machine.js";
import { useCall } from "../../api/use-call.js";
import { Action, FormAction } from "../../parts/action.js";
import type { Move } from "../../parts/moves.js";
import { Split } from "../../parts/split.js";
import { IdText, Time } from "../../parts/values.js";
import { menuWords } from "../../shell/menu.js";
import { terms, texts } from "../../state/language.js";
import { ObjectPage } from "../../timeline/object-page.js";
import { moveFacts } from "../../words/machine-move.js";
import { PayoutList } from "./list.js";

const words = texts("payouts");

type Payout = OperationAnswer<"sandbox.payouts.get">;

function payoutMoves({ id, status }: Payout): readonly Move[] {
  const { value } = words;
  return [
    <Action
      key="pay"
      id="sandbox.payouts.pay"
      label={value.pay}
      input={{ params: { id } }}
      {...moveFacts(payoutMachine, status, ["pay"])}
    />,
    <FormAction
      key="fail"
      id="sandbox.payouts.fail"
      label={value.fail}
      {...moveFacts(payoutMachine, status, ["fail"])}
      fields={[{ name: "reason", label: terms.value.reason }]}
      input={({ reason }) => ({ params: { id }, body: reason === undefined || reason.trim() === "" ? {} : { reason } })}
    />,
  ];
}

function PayoutPage({ id }: { id: string }) {
  const { value } = words;
  const { state } = useCall("sandbox.payouts.get", { params: { id } }, { on: ["payout"] });
  return (
    <ObjectPage
      id={id}
      above={{ href: "/console/payouts", title: menuWords.value.payouts }}
      of={state.value}
      name={value.object}
      line={({ destination }) => `${terms.value.to} ${destination.pix_key} (${destination.pix_key_type})`}
      facts={(payout) => [
        [value.created, <Time at={payout.created_at} />],
        [terms.value.failure, payout.failure_reason],
        [terms.value.end_to_end_id, payout.end_to_end_id === null ? null : <IdText id={payout.end_to_end_id} />],
      ]}
      moves={payoutMoves}
    />
  );
}

export function Payouts({ id }: { id?: string }) {
  return <Split list={<PayoutList open={id} />}>{id === undefined ? null : <PayoutPage key={id} id={id} />}</Split>;
}
