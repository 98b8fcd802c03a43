export { Deliveries } from "../pages/deliveries/index.js";
export { Endpoints } from "../pages/endpoints/index.js";
export { Events } from "../pages/events/index.js";
export { Receiver } from "../pages/receiver/index.js";
export { Requests } from "../pages/requests/index.js";
