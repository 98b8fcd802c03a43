export { NothingHere as Deliveries } from "../nothing-here.js";
