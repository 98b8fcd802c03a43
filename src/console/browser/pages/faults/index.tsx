export { NothingHere as Faults } from "../nothing-here.js";
