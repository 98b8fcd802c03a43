/** `customer.name` and `customerName` as a flag has them, without its dashes: `customer-name`. */
export function kebab(field: string): string {
  return field.replace(/[._]/g, "-").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `--customer-name` and `customer-name` as values are kept: `customerName`; `no-color` as `color`. */
export function camel(flag: string): string {
  return flag.replace(/^(--)?(no-)?/, "").replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
