import type { OwnPart } from "../operation/show.js";
import type { LocalCommand } from "../tree/define-command.js";

/**
 * The commands with their own code, in the order of the help; all other commands call one operation of the service. The
 * path of a module consists of the command's words. A module is loaded only when its command runs.
 */
export const COMMANDS: Readonly<Record<string, () => Promise<{ readonly command: LocalCommand }>>> = {
  demo: () => import("./demo/index.js"),
  serve: () => import("./serve/index.js"),
  stop: () => import("./stop.js"),
  openapi: () => import("./openapi.js"),
  exec: () => import("./exec/index.js"),
  listen: () => import("./listen/index.js"),
  console: () => import("./console.js"),
  docs: () => import("./docs.js"),
  env: () => import("./env.js"),
  mcp: () => import("./mcp/index.js"),
  trigger: () => import("./trigger.js"),
  "fixtures list": () => import("./fixtures/list.js"),
  "fixtures run": () => import("./fixtures/run.js"),
  "logs tail": () => import("./logs/tail.js"),
  "logs show": () => import("./logs/show.js"),
  login: () => import("./login.js"),
  logout: () => import("./logout.js"),
  whoami: () => import("./whoami.js"),
  "profiles list": () => import("./profiles/list.js"),
  "profiles add": () => import("./profiles/add.js"),
  "profiles use": () => import("./profiles/use.js"),
  "profiles remove": () => import("./profiles/remove.js"),
  api: () => import("./api.js"),
  doctor: () => import("./doctor.js"),
  conform: () => import("./conform/index.js"),
  completion: () => import("./completion/index.js"),
  "payments find": () => import("./payments/find.js"),
  survive: () => import("./survive/index.js"),
  rush: () => import("./rush/index.js"),
  reconcile: () => import("./reconcile.js"),
  why: () => import("./why/index.js"),
  "incident save": () => import("./incident/save.js"),
  "incident replay": () => import("./incident/replay.js"),
  "incident test": () => import("./incident/test.js"),
  "webhooks sample": () => import("./webhooks/sample.js"),
  "webhooks sign": () => import("./webhooks/sign.js"),
  "webhooks verify": () => import("./webhooks/verify.js"),
  "webhooks test": () => import("./webhooks/test.js"),
  "sandbox snapshots export": () => import("./sandbox/snapshots/export.js"),
  "sandbox snapshots import": () => import("./sandbox/snapshots/import.js"),
  "med evidence add": () => import("./med/evidence/add.js"),
};

/** Parts of single operations with code of their own. Such a module, too, is loaded only when its command runs. */
export const OWN_PARTS: Readonly<Record<string, () => Promise<{ readonly own: OwnPart }>>> = {
  "charges create": () => import("./charges/create.js"),
  "charges get": () => import("./charges/get.js"),
  "pix charges create": () => import("./charges/create.js"),
  "payments create": () => import("./payments/create.js"),
  "payments list": () => import("./payments/list.js"),
  "payments get": () => import("./payments/get.js"),
  "payments receipt": () => import("./payments/receipt.js"),
  "sandbox pay": () => import("./sandbox/pay.js"),
  "sandbox timeline": () => import("./sandbox/timeline.js"),
  "sandbox deliveries prove": () => import("./sandbox/deliveries/prove.js"),
  "sandbox endpoints test": () => import("./sandbox/endpoints/test.js"),
  "sandbox ledger check": () => import("./sandbox/ledger/check.js"),
  "sandbox search": () => import("./sandbox/search.js"),
  "sandbox survive": () => import("./sandbox/survive.js"),
  "webhooks deliveries": () => import("./webhooks/deliveries.js"),
};
