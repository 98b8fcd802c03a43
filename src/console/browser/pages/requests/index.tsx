export { NothingHere as Requests } from "../nothing-here.js";
