import { registry } from "../../registry.js";
import { describeBodies } from "./describe-operations.js";

const routes = describeBodies(registry.map((operation) => operation.contract));

/** What each route takes, for bodies that no flags make. The build replaces this module by its value, too. */
export const bodyRoutes = () => routes;
