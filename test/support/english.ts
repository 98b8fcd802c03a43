/** Finds English words in what a command shows in another language. */

/** Common words of English sentences that are none of another language of this program, nor names of states and commands. */
const WORDS = new Set(
  `about accepted after again all already an and another answer answered any anybody are at attempt been before begins
  belongs but by cannot changed check choose column columns contains could created customer day days deleted delivered
  deliveries delivery did does done each empty endpoint's every everything example field file files first follows for
  found from give given gives go has have here his how if in into is it its just key keys last left letters line list
  listed look made may meant missing money more must name needs never new next no-one nobody none not nothing number
  of on once one only or other others payer please possible read reading refused replace required row rows said same
  say says second seconds secret see send sends sent set should show shown since so some something start starts state
  stopped such take takes than that the their them then there these they this those through till times to together too
  took try twice unknown until up used uses value was way webhook's were what when where which who why with within
  without word would write written wrong yes yesterday yet you your`.split(/\s+/),
);

/** What is no sentence of the program: commands, flags, placeholders, addresses, ids, codes, names of files and media types. */
const NO_SENTENCE = [
  /`[^`]*`/g,
  /^.*\bqa-pay [a-z].*$/gm,
  /(?<=: )qa-pay [a-z].*$/gm,
  /--[a-z][\w-]*(?:[ =][\w./:=,…-]+)?/g,
  /<[^>\n]*>/g,
  /\bhttps?:\S+/g,
  /\B\/[\w/.-]+/g,
  // Lists of names, such as columns and states.
  /\b[\w.]+(?:, [\w.]+){2,}/g,
  /\b[a-z]{2,5}_[\w-]+/g,
  /\b[a-z]+(?:[._][a-z]+)+\b/g,
  /\b[A-Z][A-Z_]+\b/g,
  /\S+\.(?:csv|json|pdf|png|ods|xlsx?)\b/g,
  // The messages of a network keep their own words, as receivers' answers do.
  /(?<=Ninguém responde em {2}\().*(?=\)\.)/g,
  /\bconnection (?:refused|reset)\b/g,
];

/** The English words in a text, each with its line. `data` are texts that come from elsewhere, such as messages of the service. */
export function englishIn(text: string, data: readonly string[]): string[] {
  const longest = data.filter((one) => one !== "").toSorted((one, other) => other.length - one.length);
  const without = longest.reduce((left, one) => left.replaceAll(one, " "), text);
  const own = NO_SENTENCE.reduce((left, pattern) => left.replace(pattern, " "), without);
  return own.split("\n").flatMap((line) => {
    const found = (line.toLowerCase().match(/[\p{L}'’-]+/gu) ?? []).filter((word) => WORDS.has(word));
    return found.length === 0 ? [] : [`${found.join(" ")} — ${line.trim()}`];
  });
}
