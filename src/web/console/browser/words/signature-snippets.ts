import canonicalJava from "../snippets/canonical.java?raw";
import canonicalNode from "../snippets/canonical.mjs?raw";
import canonicalPhp from "../snippets/canonical.php?raw";
import canonicalPython from "../snippets/canonical.py?raw";
import canonicalShell from "../snippets/canonical.sh?raw";
import legacyJava from "../snippets/legacy.java?raw";
import legacyNode from "../snippets/legacy.mjs?raw";
import legacyPhp from "../snippets/legacy.php?raw";
import legacyPython from "../snippets/legacy.py?raw";
import legacyShell from "../snippets/legacy.sh?raw";

/** Code that checks a signature, for each of the two forms (docs/service/webhooks.md#signatures), by the name of its language. */
const SNIPPETS = {
  canonical: {
    Node: canonicalNode,
    PHP: canonicalPhp,
    Python: canonicalPython,
    Java: canonicalJava,
    Shell: canonicalShell,
  },
  legacy: { Node: legacyNode, PHP: legacyPhp, Python: legacyPython, Java: legacyJava, Shell: legacyShell },
};

export type SignatureForm = keyof typeof SNIPPETS;

export function signatureSnippets(form: SignatureForm): { readonly name: string; readonly text: string }[] {
  return Object.entries(SNIPPETS[form]).map(([name, text]) => ({ name, text }));
}
