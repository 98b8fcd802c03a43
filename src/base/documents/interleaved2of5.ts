/** The five bars, or the five spaces, of a digit. 1 is a wide one; every digit has two of them. */
const DIGITS = ["00110", "10001", "01001", "11000", "00101", "10100", "01100", "00011", "10010", "01010"];

const START = [1, 1, 1, 1];

/**
 * The symbol of an even number of digits as Interleaved 2 of 5 (ISO/IEC 16390): widths of bars and spaces in modules, in turn.
 * The first and the last are bars. A wide one has three modules, so that the 405 modules of the 44 digits of a boleto are 0.254
 * mm each (10 mil) in the 103 mm of its slip.
 *
 * @throws RangeError when the number of digits is odd, or when there is anything but digits.
 */
export function interleaved2of5(digits: string): readonly number[] {
  if (!/^(\d\d)+$/.test(digits)) throw new RangeError("an Interleaved 2 of 5 symbol holds pairs of digits");
  const width = (isWide: string | undefined) => (isWide === "1" ? 3 : 1);
  const widths: number[] = [...START];
  for (let at = 0; at < digits.length; at += 2) {
    const [bars = "", spaces = ""] = [DIGITS[Number(digits[at])], DIGITS[Number(digits[at + 1])]];
    for (let index = 0; index < 5; index++) widths.push(width(bars[index]), width(spaces[index]));
  }
  return [...widths, 3, 1, 1];
}
