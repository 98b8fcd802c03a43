export { NothingHere as Settings } from "../nothing-here.js";
