export { NothingHere as Accounts } from "../nothing-here.js";
