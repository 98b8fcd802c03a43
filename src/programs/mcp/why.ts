import type { Contract } from "../../base/kernel/contract.js";
import { sandboxWhy } from "../../service/features/timeline/operations/sandbox-why.js";
import { type OperationTool, toolOf } from "./tools.js";

/** The command `why` as a tool. It answers as the operation of an emulator does, and at other hosts from what `/v1` shows. */

const DESCRIPTION =
  "One sentence with the cause, what shows it, and the command to run next, for a charge, payment, refund, payout, delivery, " +
  "event, request or MED case: start here when an object is unpaid, or a webhook did not arrive. Reads alone, unless prove " +
  "is true: then the receiver that refused a webhook of an emulator on this machine is sent it again, signed as usual " +
  "mistakes would want it, and the mistake that it accepts is named.";

const contract: Contract = {
  ...sandboxWhy.contract,
  id: "why",
  surface: "api",
  description: DESCRIPTION,
};

export const whyTool: OperationTool = {
  ...toolOf(contract),
  arguments: [
    ...toolOf(contract).arguments,
    { name: "prove", place: "query", field: "prove", required: false, schema: { type: "boolean", default: false } },
  ],
  mayProve: true,
};
