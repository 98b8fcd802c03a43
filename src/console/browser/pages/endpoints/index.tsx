export { NothingHere as Endpoints } from "../nothing-here.js";
