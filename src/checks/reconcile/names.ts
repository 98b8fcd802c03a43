/** The columns of a shop's orders, by our own names. */

export const COLUMNS = ["id", "order", "status", "amount"] as const;
export type Column = (typeof COLUMNS)[number];

/** The columns of a shop under test, which also says whether it has delivered. */
export const SHOP_COLUMNS = [...COLUMNS, "fulfilled"] as const;
export type ShopColumn = (typeof SHOP_COLUMNS)[number];

export const SHOP_STATUSES = ["paid", "open", "refunded", "disputed", "cancelled"] as const;
export type ShopStatus = (typeof SHOP_STATUSES)[number];

export const AMOUNT_FORMS = ["centavos", "decimal"] as const;
export type AmountForm = (typeof AMOUNT_FORMS)[number];
