/**
 * The present time of `Date.now()`, also where a test has replaced it. Signatures have this time, so that a receiver in the
 * same process agrees. It is a file of its own, because `qa-pay/webhooks` needs nothing else of real time.
 */
export const shownTime = (): number => Date.now();
