export type Language = "en" | "pt-BR";

/** What there is once for each language. */
export function perLanguage<Value>(en: Value, pt: Value): (language: Language) => Value {
  return (language) => (language === "en" ? en : pt);
}
