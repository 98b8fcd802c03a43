import { type Route, routeOf } from "../../../client/route.js";
import type { Operation } from "../../../features/operation.js";
import { registry } from "../../../registry.js";

/**
 * The routes of all operations by their ids. The build replaces this module by its value (scripts/evaluate-module.ts), so
 * that the page does not load the registry.
 */
export const routes: Readonly<Record<string, Route>> = Object.fromEntries(
  registry.map(({ contract }: Operation) => [contract.id, routeOf(contract)]),
);
