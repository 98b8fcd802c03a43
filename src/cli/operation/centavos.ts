/**
 * Returns the centavos of a price as `500 for R$ 5,00`. Returns null when the text is no price, such as `ten`, or could be
 * two prices, such as `1.234,56`.
 */
export function centavosOf(text: string): string | null {
  const [, whole, part = ""] = /^(?:R\$ ?)?(\d{1,10})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  const cents = part.padEnd(2, "0");
  return `${Number(whole + cents)} for R$ ${whole},${cents}`;
}
