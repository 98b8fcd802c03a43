/** The sections of the interface specification, by number. docs/guides/conformance.md has the same list. */
export const SECTIONS: Readonly<Record<string, string>> = {
  "1": "General conventions",
  "2.1": "Charge",
  "2.2": "Wallet balance",
  "2.3": "Wallet entry",
  "2.4": "Transaction",
  "2.6": "Webhook endpoint",
  "2.7": "Webhook delivery",
  "2.9": "MED case",
  "2.10": "MED evidence",
  "3.1": "Charge status",
  "4.2": "Create charge",
  "4.3": "Get charge",
  "4.4": "List charges",
  "4.5": "Wallets",
  "4.6": "Create payment",
  "4.7": "Read and list payments",
  "4.8": "Stats and metrics",
  "4.9": "Refund",
  "4.10": "Other payment operations",
  "4.11": "Webhook endpoints",
  "4.13": "MED cases",
  "5": "Authentication",
  "6.1": "Names of events",
  "6.2": "When events are sent",
  "6.3": "Canonical envelope",
  "6.4": "Legacy envelope",
  "6.5": "Headers and signatures",
  "6.6": "Delivery and retries",
  "7.1": "Error envelope",
  "7.2": "Status map",
  "8": "Limits",
};

/** A section as a heading: its number and its title. */
export function sectionTitle(section: string): string {
  return `${section} ${SECTIONS[section] ?? ""}`.trimEnd();
}

/** Orders sections as the specification does: 4.9 before 4.10. */
export function bySection(one: string, other: string): number {
  const [a = 0, b = 0] = one.split(".").map(Number);
  const [c = 0, d = 0] = other.split(".").map(Number);
  return a - c || b - d;
}
