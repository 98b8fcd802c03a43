import type { OperationAnswer } from "../../../../client/types.js";

export type Delivery = OperationAnswer<"sandbox.deliveries.get">;
export type Attempt = Delivery["attempts_log"][number];
