/** What others wrote must not steer the terminal it is shown on. */
export function harmless(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ");
}
