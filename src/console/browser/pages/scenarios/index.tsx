export { NothingHere as Scenarios } from "../nothing-here.js";
