import { LANGUAGES } from "../../src/base/kernel/language.js";
import { loadTexts } from "../../src/web/console/browser/texts/index.js";

/** A test that imports this module has the texts of the console in all languages, of which a browser loads one. */

await Promise.all(LANGUAGES.map(loadTexts));
