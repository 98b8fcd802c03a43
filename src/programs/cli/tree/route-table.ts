import { describeRoutes } from "../../../api/client/describe-operations.js";
import { registry } from "../../../api/registry.js";

/** All routes of the service, also those without a command. The build replaces this module by its value. */
export const routes = describeRoutes(registry.map((operation) => operation.contract));
