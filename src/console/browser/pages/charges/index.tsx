export { NothingHere as Charges } from "../nothing-here.js";
