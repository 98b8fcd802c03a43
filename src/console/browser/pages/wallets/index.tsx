export { NothingHere as Wallets } from "../nothing-here.js";
