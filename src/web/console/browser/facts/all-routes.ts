import { routes } from "./routes.js";

/** The routes with their ids, to find the one of a request. */
export const allRoutes = Object.entries(routes).map(([id, route]) => ({ id, ...route }));
