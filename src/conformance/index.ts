/** The conformance checks, as the command loads them. */
export { CHECKS } from "./catalogue/index.js";
export { checkHost, KeyRefused, UnknownHost } from "./run.js";
