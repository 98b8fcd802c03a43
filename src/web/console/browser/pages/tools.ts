/** The pages that are not for looking at payments. They are a script of their own: a first visit does not need them. */
export { Accounts } from "./accounts/index.js";
export { Clock } from "./clock/index.js";
export { Connect } from "./connect/index.js";
export { Endpoints } from "./endpoints/index.js";
export { Faults } from "./faults/index.js";
export { Scenarios } from "./scenarios/index.js";
export { Settings } from "./settings/index.js";
