import { type Contract, isFileOperation } from "../../base/kernel/contract.js";
import { didYouMean } from "../../base/kernel/nearest.js";
import type { WaitRuntime } from "../../base/platform/real-runtime.js";
import { type Connection, call, type LooseInput } from "./calling.js";
import { explainDottedNames } from "./dotted-names.js";
import { isList, pagesOf } from "./list-pages.js";
import type { Client } from "./types.js";

/** The generator of `pages`. A wrong operation id is refused at once, not when the first object is requested. */
function pages(
  lists: ReadonlyMap<string, Contract>,
  read: (contract: Contract, input: LooseInput) => Promise<unknown>,
) {
  return (id: string, input: LooseInput = {}) => {
    const contract = lists.get(id);
    if (contract !== undefined) return pagesOf(contract, input, (page) => read(contract, page));
    const near = didYouMean(String(id), [...lists.keys()]);
    throw new TypeError(`${String(id)} is no operation that lists objects.${near === undefined ? "" : ` ${near}`}`);
  };
}

/**
 * Creates a method for each contract except those about files. The contracts are an argument, so that this module does
 * not load the schemas.
 */
export function clientOf(contracts: readonly Contract[], connection: Connection, waiting: WaitRuntime): Client {
  const json = contracts.filter((contract) => !isFileOperation(contract));
  const read = (contract: Contract, input: LooseInput) => call(contract, connection, waiting, input);
  const methods = json.map((contract) => [contract.id, (input: LooseInput = {}) => read(contract, input)]);
  const lists = new Map(json.filter(isList).map((contract) => [contract.id, contract]));
  // Not enumerable: the enumerable members are the operations.
  const client = Object.defineProperty(Object.fromEntries(methods), "pages", { value: pages(lists, read) }) as Client;
  return explainDottedNames(client, Object.keys(client));
}
