import type { ComponentChildren } from "preact";
import type { OperationAnswer, OperationId } from "../../../../api/client/types.js";
import { pick } from "../../../../base/kernel/pick.js";
import { leftRows, openNeighbour } from "../api/use-list.js";
import { NeighboursOf } from "../parts/neighbours.js";
import { Split } from "../parts/split.js";
import type { MenuName } from "../shell/menu.js";
import { ListPage, type ListSpec, type RowOf } from "./list-page.js";
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
  const { idOf = list.keyOf ?? ((row: unknown) => String(pick(row, "id"))) } = list;
  const neighbours = (id: string) => {
    const known = leftRows(list.id);
    if (known === null) return null;
    const paths = known.rows.map((row) => `/console/${name}/${idOf(row as RowOf<ListId>)}`);
    const at = paths.indexOf(`/console/${name}/${id}`);
    if (at === -1 || paths.length < 2) return null;
    return {
      at: at + 1,
      all: known.all,
      previous: paths[at - 1] ?? null,
      next: paths[at + 1] ?? null,
      onOpen: (path: string) => openNeighbour(list.id, path),
    };
  };
  const pageOf = (id: string) =>
    typeof object === "function" ? object(id) : <ObjectPage key={id} name={name} id={id} of={object} />;
  return function ResourcePage({ id }: { id?: string }) {
    return (
      <Split list={<ListPage name={name} of={list} open={id} />}>
        {id === undefined ? null : <NeighboursOf.Provider value={neighbours}>{pageOf(id)}</NeighboursOf.Provider>}
      </Split>
    );
  };
}
