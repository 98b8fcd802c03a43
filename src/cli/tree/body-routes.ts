import { registry } from "../../registry.js";
import { describeBodies } from "./describe-operations.js";

const routes = describeBodies(registry.map((operation) => operation.contract));

/** The fields that each route accepts, for bodies written by hand. The build replaces this module by its value. */
export const bodyRoutes = () => routes;
