import type { FlagsOf } from "../../../api/client/flags.js";
import { trimPasted } from "../../../base/kernel/pasted-text.js";
import { t, type Wording } from "../../../base/kernel/wording.js";
import type { InputError } from "../../../checks/reconcile/input-error.js";
import { AMOUNT_FORMS, SHOP_STATUSES, type ShopStatus } from "../../../checks/reconcile/names.js";
import { formatValue, suggestion, usage, wrongValue } from "../terminal/failure.js";

/** The flags about the orders of a shop: the names of its columns, its words and its amounts. */

export const ORDER_FLAGS = {
  "--amounts <form>": { about: "how amounts are written", choices: AMOUNT_FORMS, default: "centavos" },
  "--map <columns>": { about: "your names of the columns, such as id=charge_id,status=state", many: true },
  "--status <words>": {
    about: "your words for a state, such as paid=PAGO,settled; repeat it for other states",
    many: true,
  },
} as const;

/** A pair such as `id=charge_id`. Throws Failure (exit 2) for another text, and for a name that does not exist. */
function pairOf<Name extends string>(flag: string, text: string, names: readonly Name[]): readonly [Name, string] {
  const at = text.indexOf("=");
  const [name, value] = [trimPasted(text.slice(0, at)), trimPasted(text.slice(at + 1))];
  if (at < 1 || value === "") throw wrongValue(flag, t`pairs such as ${`${names[0]}=…`}`, text);
  const known = names.find((one) => one === name);
  if (known === undefined) {
    throw usage(t`${flag} knows ${names.join(", ")}, not ${formatValue(name)}.`, suggestion(name, names));
  }
  return [known, value];
}

/** Throws Failure (exit 2). `names` are the columns that `--map` knows. */
export function readOrderFlags<Column extends string>(
  { amounts, map = [], status = [] }: FlagsOf<typeof ORDER_FLAGS>,
  names: readonly Column[],
) {
  const columns = map.flatMap((text) => text.split(",")).map((text) => pairOf("--map", text, names));
  const words = status.map((text) => pairOf("--status", text, SHOP_STATUSES));
  const wrong = words.find(([, text]) => text.includes("="));
  if (wrong !== undefined) throw usage(t`--status may be used once for each state, such as --status ${wrong[0]}=….`);
  const byStatus = (wanted: ShopStatus) =>
    words.flatMap(([name, text]) => (name === wanted ? text.split(",") : [])).filter((word) => word.trim() !== "");
  return {
    amounts,
    map: Object.fromEntries(columns) as Partial<Record<Column, string>>,
    status: Object.fromEntries(SHOP_STATUSES.map((name) => [name, byStatus(name)])),
  };
}

/** Compared by name, because the class is loaded together with the module that reads orders. */
export const isInputError = (error: unknown): error is InputError =>
  error instanceof Error && error.name === "InputError";

const WAYS: Readonly<Record<NonNullable<InputError["option"]>, Wording>> = {
  status: t`Say what your words mean, such as --status paid=PAGO,settled --status open=NOVO.`,
  map: t`Name your columns, such as --map id=charge_id,status=state.`,
  amounts: t`Amounts such as 19.90 or 19,90 need --amounts decimal.`,
  saving: t`A spreadsheet saves it right as CSV in UTF-8: Excel with File > Save As > CSV UTF-8 (Comma delimited), in Portuguese CSV UTF-8 (Delimitado por vírgulas); Google Sheets with File > Download > Comma Separated Values (.csv); LibreOffice with File > Save As > Text CSV and the character set Unicode (UTF-8).`,
};

/** Hints for orders that cannot be read. */
export function remedyOf({ option }: InputError): Wording | undefined {
  return option === undefined ? undefined : WAYS[option];
}
