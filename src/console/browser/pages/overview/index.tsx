export { NothingHere as Overview } from "../nothing-here.js";
