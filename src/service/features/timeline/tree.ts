/** The items of a timeline as trees: each item is below its origin. For the command line and the console. */

interface TreeItem {
  readonly id: string;
  readonly parent: string | null;
}

export interface Branch<Item> {
  readonly item: Item;
  /** The item behind it; null when that is not in the list. */
  readonly parent: Item | null;
  readonly children: readonly Branch<Item>[];
}

/** Items as trees, in the order of the items. An item whose parent is not in the list is the root of a tree. */
export function treesOf<Item extends TreeItem>(
  items: readonly Item[],
  standsAlone: (item: Item, parent: Item) => boolean = () => false,
): readonly Branch<Item>[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  const below = new Map<Item | null, Item[]>();
  const parentOf = ({ parent }: Item) => (parent === null ? null : (byId.get(parent) ?? null));
  for (const item of items) {
    const parent = parentOf(item);
    const under = parent === null || standsAlone(item, parent) ? null : parent;
    below.set(under, [...(below.get(under) ?? []), item]);
  }
  const branchesUnder = (under: Item | null): readonly Branch<Item>[] =>
    (below.get(under) ?? []).map((item) => ({ item, parent: parentOf(item), children: branchesUnder(item) }));
  return branchesUnder(null);
}
