export { Faults } from "../pages/faults/index.js";
export { Scenarios } from "../pages/scenarios/index.js";
export { Snapshots } from "../pages/snapshots/index.js";
