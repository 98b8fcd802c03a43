import type { OperationAnswer } from "../../../../../api/client/types.js";
import { formatTaxId } from "../../../../../base/kernel/tax-id.js";
import { payoutMachine } from "../../../../../service/features/payouts/machine.js";
import { act } from "../../resource/act.js";
import { resource } from "../../resource/resource.js";
import { terms, texts } from "../../state/language.js";
import { moveFacts } from "../../words/machine-move.js";

const words = texts("payouts");

/** The Pix key; a document is formatted as people write it. */
const keyOf = ({ pix_key: key, pix_key_type: type }: OperationAnswer<"sandbox.payouts.get">["destination"]) =>
  type === "CPF" || type === "CNPJ" ? formatTaxId(key) : key;

export const Payouts = resource("payouts", {
  list: {
    id: "sandbox.payouts.list",
    on: ["payout"],
    tabs: "plain",
    columns: [
      "amount",
      "status",
      { label: "to", isSecond: true, class: "grows", show: ({ destination }) => keyOf(destination) },
      { field: "created_at", class: "card-end" },
    ],
    empty: { id: "sandbox.payouts.create", input: { body: { amount: 5000, overdraw: true } } },
    actions: () => [
      act("sandbox.payouts.create", {
        label: words.value.new_payout,
        kind: "main",
        text: words.value.new_text,
        emits: payoutMachine.initial.emits,
        ask: ["amount", { name: "currency", value: "BRL" }, "pix_key", "pix_key_type", "overdraw"],
        opens: true,
      }),
    ],
  },
  object: {
    get: "sandbox.payouts.get",
    on: ["payout"],
    line: ({ destination }) => `${terms.value.to} ${keyOf(destination)} (${destination.pix_key_type})`,
    facts: ["created_at", "failure_reason", "end_to_end_id"],
    moves: ({ id, status }) => [
      act("sandbox.payouts.pay", {
        label: words.value.pay,
        params: { id },
        ...moveFacts(payoutMachine, status, ["pay"]),
      }),
      act("sandbox.payouts.fail", {
        label: words.value.fail,
        params: { id },
        ask: ["reason"],
        ...moveFacts(payoutMachine, status, ["fail"]),
      }),
    ],
  },
});
