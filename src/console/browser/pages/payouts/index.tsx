export { NothingHere as Payouts } from "../nothing-here.js";
