export { NothingHere as Med } from "../nothing-here.js";
