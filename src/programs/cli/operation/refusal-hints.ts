import type { OperationSpec } from "../../../api/client/describe-operations.js";
import type { ErrorCode } from "../../../base/kernel/errors.js";
import { formatBrl, MAX_AMOUNT } from "../../../base/kernel/money.js";
import { t, type Words } from "../../../base/kernel/wording.js";
import type { Failure } from "../terminal/failure.js";
import { commandLine, type HostFlags } from "../terminal/program-command.js";

/**
 * What a person can do after a refusal, by the code of the service. Its message is data, and stays English; the hint stands beside it
 * in the language of the person. A code is missing where the message says what to do, and where the hint needs the answer or the
 * connection (send-operation.ts).
 */

interface RefusedCall {
  readonly spec: Pick<OperationSpec, "command" | "method" | "flags">;
  readonly ids: readonly string[];
  readonly flags: HostFlags;
}

interface Refusal extends RefusedCall {
  /** The only field that is wrong. */
  readonly param: string | undefined;
  /** True when fields are wrong, and not the state of an object. */
  readonly isOfFields: boolean;
}

type Hint = (refusal: Refusal) => Words | undefined;

const REFUND = "payments refund";

/** A command for the object of the refused one, at the same host. */
const commandFor = (words: string, { ids: [id = ""], flags }: Refusal) =>
  `\`${commandLine("qa-pay", [...words.split(" "), ...(id === "" ? [] : [id])], flags)}\``;

/** The flag of the wrong field, where it has another name than the message says. */
function flagHint({ param, spec }: Refusal): Words | undefined {
  const name = spec.flags.find(({ field }) => field === param)?.name;
  return name === undefined || name === param ? undefined : t`The flag of this field is --${name}.`;
}

const invalid: Hint = (refusal) => {
  if (refusal.isOfFields) return flagHint(refusal);
  if (refusal.ids.length === 0) return undefined;
  const why = commandFor("why", refusal);
  return refusal.spec.command === REFUND
    ? t`${why} explains its state, and ${commandFor("payments refunds", refusal)} shows what was given back before.`
    : t`${why} explains its state.`;
};

const invalidAmount: Hint = (refusal) =>
  refusal.spec.command === REFUND
    ? t`At least one centavo, and at most what is left: ${commandFor("payments refunds", refusal)} shows what was given back before.`
    : t`From 1 to ${MAX_AMOUNT} centavos, which is ${formatBrl(MAX_AMOUNT)}.`;

const unprocessable: Hint = (refusal) => {
  if (refusal.param === "overdraw")
    return t`${commandFor("wallets balance", { ...refusal, ids: [] })} shows what is there.`;
  if (refusal.spec.command === REFUND) return t`--strategy cashout gives the money back by a new Pix.`;
  return refusal.spec.method === "GET" && refusal.ids.length > 0
    ? invalid({ ...refusal, isOfFields: false })
    : undefined;
};

const blocked: Hint = () => t`Nothing was created. Repeat it when the time window is over.`;

const evidence: Hint = (refusal) =>
  t`${commandFor("med evidence add", refusal)} with the name of a file does all steps.`;

const HINTS: Readonly<Partial<Record<ErrorCode, Hint>>> = {
  invalid_request: invalid,
  invalid_amount: invalidAmount,
  unprocessable_entity: unprocessable,
  API_KEY_ROLE_REQUIRED: () => t`\`qa-pay login\` logs in as another user.`,
  "fraud.customer_velocity_exceeded": blocked,
  "fraud.account_velocity_exceeded": blocked,
  idempotency_key_reused: () =>
    t`For a new request, leave out --idempotency-key. To repeat the first one, send exactly the same values.`,
  REFUND_NOT_SUPPORTED: () => t`Give the money back in another way, such as a bank transfer.`,
  EVIDENCE_NOT_UPLOADED: evidence,
  EVIDENCE_SIZE_MISMATCH: evidence,
};

/** The failure of a command with a hint for its code, unless it has one already. */
export function withHint(failure: Failure, call: RefusedCall): Failure {
  const { envelope, hint } = failure;
  if (envelope === undefined || hint !== undefined) return failure;
  const { code, param, details } = envelope.error;
  const found = Object.entries(HINTS).find(([known]) => known === code)?.[1];
  const isOfFields = param !== undefined || details !== undefined;
  const advice = found?.({ ...call, param, isOfFields });
  return advice === undefined ? failure : failure.with({ hint: advice });
}
