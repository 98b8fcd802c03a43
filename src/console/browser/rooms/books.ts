export { Accounts } from "../pages/accounts/index.js";
export { Clock } from "../pages/clock/index.js";
export { Go } from "../pages/go/index.js";
export { Mail } from "../pages/mail/index.js";
export { Overview } from "../pages/overview/index.js";
export { Settings } from "../pages/settings/index.js";
export { Wallets } from "../pages/wallets/index.js";
