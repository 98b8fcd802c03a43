/** Turns a field's name into a flag's name: `customer.name` and `customerName` become `customer-name`. */
export function kebab(field: string): string {
  return field.replace(/[._]/g, "-").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Turns a flag's name into a property name: `--customer-name` becomes `customerName`, `no-color` becomes `color`. */
export function camel(flag: string): string {
  return flag.replace(/^(--)?(no-)?/, "").replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
