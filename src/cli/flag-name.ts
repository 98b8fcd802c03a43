/** `customer.name` and `customerName` as a flag has them, without its dashes: `customer-name`. */
export function kebab(field: string): string {
  return field.replace(/[._]/g, "-").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
