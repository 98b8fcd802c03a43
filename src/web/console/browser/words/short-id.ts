const LONGEST = 12;

/** An id where space is short: its prefix and its last four characters, which tell ids apart. `ch_…6eb4`. */
export function shortId(id: string): string {
  if (id.length <= LONGEST) return id;
  const [prefix = ""] = /^[a-z]+_/.exec(id) ?? [];
  return `${prefix}…${id.slice(-4)}`;
}
