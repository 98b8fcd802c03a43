/**
 * A configuration of Vitest for a folder whose `node_modules/qa-pay` is a link to this repository. Vitest takes what is not below a
 * folder `node_modules` for the user's own source, and would make all of the built package ready for each run.
 */
export const LOADED_BY_NODE = "export default { test: { server: { deps: { external: [/\\/dist\\//] } } } };\n";
