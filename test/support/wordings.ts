import ts from "typescript";
import type { OperationSpec } from "../../src/api/client/describe-operations.js";
import { templateOf } from "../../src/base/kernel/wording.js";
import { commandTree } from "../../src/programs/cli/tree/command-tree.js";
import { isOperation } from "../../src/programs/cli/tree/define-command.js";
import { routes } from "../../src/programs/cli/tree/route-table.js";
import { takesOf } from "../../src/programs/cli/tree/syntax.js";
import { MED_STATUSES } from "../../src/service/features/med/machine.js";
import { REFUND_STATUSES } from "../../src/service/features/refunds/machine.js";
import { PUBLIC_STATUS, TRANSACTION_STATUSES } from "../../src/service/features/transactions/machine.js";
import { DELIVERY_STATUSES } from "../../src/service/features/webhooks/machine.js";
import { nodesOf, projectTree, sources } from "../tidy/tree.js";

/** The English texts that commands show in the language of the person, as the files of translations name them. */

/** The commands whose whole output is translated (docs/guides/command-line.md#language). */
const TRANSLATED = /^(?:charges|payments|wallets|med|webhooks deliveries|why|reconcile)\b/;

/** True for a template with words of its own, and not only values and marks. */
const hasWords = (template: string) => /\p{L}/u.test(template.replace(/\{\d+\}/g, ""));

function partsOf(template: ts.TemplateLiteral): string[] {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return [template.text];
  return [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)];
}

function templatesIn(file: ts.SourceFile): string[] {
  return nodesOf(file).flatMap((node) => {
    if (ts.isTaggedTemplateExpression(node)) {
      const template = templateOf(partsOf(node.template));
      if (node.tag.getText() === "t") return template;
      return node.tag.getText() === "localized" ? template.trim() : [];
    }
    if (ts.isNewExpression(node) && node.expression.getText() === "Wording") {
      const [template] = node.arguments ?? [];
      return template !== undefined && ts.isStringLiteral(template) ? template.text : [];
    }
    if (ts.isCallExpression(node) && node.expression.getText() === "counted") {
      const noun = node.arguments[1];
      return noun !== undefined && ts.isStringLiteral(noun) ? [`{1} ${noun.text}`, `{1} ${noun.text}s`] : [];
    }
    return [];
  });
}

/** The sentences that stand in the code. `required` are those with words; the others may have another form in a language. */
export function sentencesInCode(): { readonly all: ReadonlySet<string>; readonly required: readonly string[] } {
  const tree = projectTree();
  const all = new Set(sources(tree).flatMap((path) => templatesIn(tree.parse(path))));
  return { all, required: [...all].filter(hasWords) };
}

const withVariants = (spec: OperationSpec) => [spec, ...spec.variants.map((variant) => variant.spec)];

const specs = commandTree.filter(({ command }) => TRANSLATED.test(command));
const operations = specs.filter(isOperation).flatMap(withVariants);
const everyOperation = commandTree.filter(isOperation).flatMap(withVariants);

/** The heads of columns that commands declare themselves. */
function headsIn(file: ts.SourceFile): string[] {
  return nodesOf(file).flatMap((node) => {
    const isHead = ts.isPropertyAssignment(node) && node.name.getText() === "header";
    return isHead && ts.isStringLiteral(node.initializer) && node.initializer.text !== "" ? node.initializer.text : [];
  });
}

function headsInCode(folder: RegExp): string[] {
  const tree = projectTree();
  return tree.paths.filter((path) => folder.test(path)).flatMap((path) => headsIn(tree.parse(path)));
}

/** The columns of all operations. */
const columns = everyOperation
  .flatMap(({ columns, below }) => [...columns, ...(below?.columns ?? [])])
  .filter(({ header }) => header !== "");

export const headings: ReadonlySet<string> = new Set([
  ...columns.map(({ header }) => header),
  ...headsInCode(/^src\/programs\/cli\/commands\/(?:charges|payments|med|why)\//),
]);
/** Also with their fields, where a language has another word for each. */
export const everyHeading = new Set([
  ...headings,
  ...columns.map(({ header, path }) => `${header} (${path})`),
  ...headsInCode(/^src\/programs\/cli\/commands\//),
]);

/** The states of what these commands show. */
export const statesShown: readonly string[] = [
  ...TRANSACTION_STATUSES,
  ...Object.values(PUBLIC_STATUS),
  ...REFUND_STATUSES,
  ...MED_STATUSES,
  ...DELIVERY_STATUSES,
];

const withoutDot = (text: string) => text.replace(/\.$/, "");

/** The sentences of contracts: questions, what is lost, what an argument is, and what to do next. */
export function sentencesOfContracts(): string[] {
  // Without a question whose values are known, a command asks with the summary.
  const asked = routes.flatMap(({ questions = [], summary, method }) =>
    method === "GET" ? [] : [...questions, summary],
  );
  const lost = everyOperation.flatMap(({ loses }) => loses ?? []);
  const taken = specs.flatMap((spec) => Object.values(takesOf(spec)).map(withoutDot));
  const picked = operations.flatMap(({ picksFrom, arguments: [first] }) =>
    picksFrom === undefined || first === undefined ? [] : [first.description.replace(/:.*/, "")],
  );
  const next = everyOperation.flatMap((spec) => spec.next ?? []);
  const defaults = operations.flatMap(({ flags, defaults }) =>
    flags.filter(({ field }) => Object.hasOwn(defaults, field)),
  );
  const added = defaults.map(({ description }) => description.charAt(0).toLowerCase() + description.slice(1));
  return [...new Set([...asked, ...lost, ...taken, ...picked, ...next, ...added])];
}
