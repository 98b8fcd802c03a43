import { type Route, routeOf } from "../../../../api/client/route.js";
import { registry } from "../../../../api/registry.js";
import type { Operation } from "../../../../service/features/operation.js";

/**
 * The routes of all operations by their ids. The build replaces this module by its value (scripts/evaluate-module.ts), so
 * that the page does not load the registry.
 */
export const routes: Readonly<Record<string, Route>> = Object.fromEntries(
  registry.map(({ contract }: Operation) => [contract.id, routeOf(contract)]),
);
