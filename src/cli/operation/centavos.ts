/** Returns the centavos of a price as `500 for R$ 5,00`. Returns null for another text, such as `ten`. */
export function centavosOf(text: string): string | null {
  const [, whole, part = ""] = /^(?:R\$ ?)?(\d{1,10})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  const cents = part.padEnd(2, "0");
  return `${Number(whole + cents)} for R$ ${whole},${cents}`;
}
