import { sandboxWhy } from "../../service/features/timeline/operations/sandbox-why.js";
import { asText } from "./arguments.js";
import { toolOf } from "./operation-tool.js";
import type { AgentTool } from "./tools.js";

/** The command `why` as a tool. It answers as the operation of an emulator does, and at other hosts from what `/v1` shows. */

const DESCRIPTION =
  "One sentence with the cause, what shows it, and the command to run next, for a charge, payment, refund, payout, delivery, " +
  "event, request or MED case: start here when an object is unpaid, or a webhook did not arrive. Reads alone, unless prove " +
  "is true: then the receiver that refused a webhook of an emulator on this machine is sent it again, signed as usual " +
  "mistakes would want it, and the mistake that it accepts is named.";

const { contract } = sandboxWhy;
const { title, outputSchema, arguments: own } = toolOf(contract);

export const whyTool: AgentTool = {
  id: "why",
  name: "why",
  title,
  description: `${title}. ${contract.method} ${contract.path}\n${DESCRIPTION}`,
  arguments: [
    ...own,
    { name: "prove", place: "query", field: "prove", required: false, schema: { type: "boolean", default: false } },
  ],
  outputSchema,
  traits: ({ isEmulator, readOnly }) => {
    return { isRead: !isEmulator || readOnly !== null, isDestructive: false, isRepeatable: true };
  },
  changes: ({ prove }) => prove === true,
  async run(port, { id, prove }) {
    return { answer: await port.why({ id: asText("why", "id", id), prove: prove === true }) };
  },
};
