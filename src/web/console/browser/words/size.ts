const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** A number of bytes in the unit in which people read it. */
export function sizeText(bytes: number, language: string): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const style = { style: "unit", unit: UNITS[power] ?? "byte", maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, style).format(bytes / 1_000 ** power);
}
