import type { OperationAnswer } from "../../../../../api/client/types.js";
import { isSuccess } from "../../../../../base/kernel/http-status.js";
import { SIGNATURE_HEADER } from "../../../../../base/kernel/webhook-signature.js";

/** Facts of a delivery and of its attempts. */

export type Delivery = OperationAnswer<"sandbox.deliveries.get">;
export type Attempt = Delivery["attempts_log"][number];

/** The status codes by which a receiver rejects a signature. */
const REFUSALS: readonly number[] = [400, 401, 403];

export const headerOf = ({ request }: Attempt) => request.headers[SIGNATURE_HEADER] ?? "";

export const hasArrived = ({ response }: Attempt) => isSuccess(response?.status ?? null);

/** True if the answer may mean that the receiver did not believe the signature. */
export const isDisbelieved = ({ response }: Attempt) => REFUSALS.includes(response?.status ?? 0);

export const headerLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
