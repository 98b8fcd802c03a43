import type { Signal } from "@preact/signals";
import { call } from "../../api/call.js";
import { RunButton } from "../../parts/run-button.js";
import { texts } from "../../state/language.js";
import { RECEIVER_EVENTS } from "../../words/usual-receiver.js";

const words = texts("first_minute");

interface CreateAndPayProps {
  /** Receives the id of the new charge before it is paid. */
  readonly onCharge?: (id: string) => void;
  /** The address of a receiver that is registered first when there is no endpoint; empty for none. */
  readonly receiver?: Signal<string>;
}

/** Creates a charge of R$ 19,90 and lets a simulated payer pay it. */
export function CreateAndPay({ onCharge, receiver }: CreateAndPayProps) {
  const run = async () => {
    const url = receiver?.value.trim() ?? "";
    if (url !== "" && (await call("webhooks.endpoints.list")).data.length === 0)
      await call("webhooks.endpoints.create", { body: { url, events: [...RECEIVER_EVENTS] } });
    const { id } = await call("charges.create", { body: { amount: 1990, payment_method: "pix" } });
    onCharge?.(id);
    await call("sandbox.charges.pay", { params: { id }, body: {} });
    return null;
  };
  return <RunButton label={words.value.button} kind="main" run={run} />;
}
