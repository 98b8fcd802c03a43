import type { ComponentChildren } from "preact";
import type { OperationAnswer, OperationId } from "../../../../api/client/types.js";
import { Split } from "../parts/split.js";
import type { MenuName } from "../shell/menu.js";
import { ListPage, type ListSpec } from "./list-page.js";
import { ObjectPage, type ObjectSpec } from "./object-page.js";

/**
 * A list and the pages of its objects as data. Columns, filters, facts and forms name fields of the operations, so that
 * a missing field is a type error. Anything further has a view of its own, and uses the same parts.
 */
interface ResourceSpec<ListId extends OperationId, GetId extends OperationId, One> {
  readonly list: ListSpec<ListId>;
  /** Its object: declared, or a page of its own. */
  readonly object: ObjectSpec<GetId, One> | ((id: string) => ComponentChildren);
}

/** Creates the page of a resource, for the address of its list and those of its objects. */
export function resource<ListId extends OperationId, GetId extends OperationId, One = OperationAnswer<GetId>>(
  name: MenuName,
  { list, object }: ResourceSpec<ListId, GetId, One>,
) {
  const pageOf = (id: string) =>
    typeof object === "function" ? object(id) : <ObjectPage key={id} name={name} id={id} of={object} />;
  return function ResourcePage({ id }: { id?: string }) {
    return <Split list={<ListPage name={name} of={list} open={id} />}>{id === undefined ? null : pageOf(id)}</Split>;
  };
}
