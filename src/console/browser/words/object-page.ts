/** The page of an object, by the prefix of its id. */

const PAGES: Readonly<Record<string, string>> = {
  ch_: "charges",
  tx_: "charges",
  rf_: "refunds",
  po_: "payouts",
  med_: "med",
  wd_: "deliveries",
  evt_: "events",
  we_: "endpoints",
  em_: "mail",
  acc_: "accounts",
};

/** The address of an object's page inside the console; null for an id of another kind. */
export function objectPage(id: string): string | null {
  const prefix = /^[a-z]+_/.exec(id)?.[0] ?? "";
  const page = PAGES[prefix];
  return page === undefined ? null : `/console/${page}/${encodeURIComponent(id)}`;
}
