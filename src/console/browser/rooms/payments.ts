export { Charges } from "../pages/charges/index.js";
export { Med } from "../pages/med/index.js";
export { Payouts } from "../pages/payouts/index.js";
export { Refunds } from "../pages/refunds/index.js";
