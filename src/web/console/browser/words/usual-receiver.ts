/** Where the pages suppose the receiver of an application, and the events that they propose for it. */

export const RECEIVER_URL = "http://127.0.0.1:3000/webhooks";

export const RECEIVER_EVENTS = ["charge.paid", "charge.expired", "charge.failed"] as const;
