/** The conformance checks, as the command loads them. */
export { CHECKS } from "./catalogue/index.js";
export { junitXml } from "./junit.js";
export { checkHost, KeyRefused, Stranger } from "./run.js";
