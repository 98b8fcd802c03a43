export { NothingHere as Mail } from "../nothing-here.js";
