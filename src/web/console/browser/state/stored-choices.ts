/** Choices of the person that the browser keeps between visits: language, theme and such. No data of the service. */

const PREFIX = "qa-pay-console-";

export function storedChoice<const Choice extends string>(name: string, choices: readonly Choice[]): Choice | null {
  try {
    const kept = localStorage.getItem(PREFIX + name);
    return choices.find((choice) => choice === kept) ?? null;
  } catch {
    // The browser may refuse its storage.
    return null;
  }
}

export function storeChoice(name: string, choice: string): void {
  try {
    localStorage.setItem(PREFIX + name, choice);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
}
