import charges from "../../docs/service/charges.md?raw";
import errors from "../../docs/service/errors.md?raw";
import glossary from "../../docs/service/glossary.md?raw";
import idempotency from "../../docs/service/idempotency.md?raw";
import keys from "../../docs/service/keys.md?raw";
import med from "../../docs/service/med.md?raw";
import payments from "../../docs/service/payments.md?raw";
import payouts from "../../docs/service/payouts.md?raw";
import start from "../../docs/service/README.md?raw";
import refunds from "../../docs/service/refunds.md?raw";
import requests from "../../docs/service/requests.md?raw";
import sandbox from "../../docs/service/sandbox.md?raw";
import wallets from "../../docs/service/wallets.md?raw";
import webhooks from "../../docs/service/webhooks.md?raw";

/** The rules of the service, page by page, as Markdown. They are part of the package, so that an agent can read them anywhere. */
export const PAGES: Readonly<Record<string, string>> = {
  "README.md": start,
  "requests.md": requests,
  "keys.md": keys,
  "idempotency.md": idempotency,
  "charges.md": charges,
  "payments.md": payments,
  "refunds.md": refunds,
  "wallets.md": wallets,
  "payouts.md": payouts,
  "med.md": med,
  "webhooks.md": webhooks,
  "errors.md": errors,
  "sandbox.md": sandbox,
  "glossary.md": glossary,
};
