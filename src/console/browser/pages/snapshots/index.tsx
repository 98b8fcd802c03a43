export { NothingHere as Snapshots } from "../nothing-here.js";
