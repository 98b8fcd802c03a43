import type { LocalCommand } from "../tree/define-command.js";

/**
 * The commands that are no single operation of the service, in the order of help. Each stands in the module of its words
 * and is loaded only when it runs.
 */
export const COMMANDS: Readonly<Record<string, () => Promise<{ readonly command: LocalCommand }>>> = {
  serve: () => import("./serve/index.js"),
  openapi: () => import("./openapi.js"),
  exec: () => import("./exec/index.js"),
  listen: () => import("./listen/index.js"),
  env: () => import("./env.js"),
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
  completion: () => import("./completion.js"),
  "webhooks verify": () => import("./webhooks/verify.js"),
  "webhooks test": () => import("./webhooks/test/index.js"),
  "med evidence add": () => import("./med/evidence/add.js"),
};
