export { NothingHere as Refunds } from "../nothing-here.js";
