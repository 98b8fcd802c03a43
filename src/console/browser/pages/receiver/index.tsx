export { NothingHere as Receiver } from "../nothing-here.js";
