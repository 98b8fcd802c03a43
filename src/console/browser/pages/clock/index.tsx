export { NothingHere as Clock } from "../nothing-here.js";
