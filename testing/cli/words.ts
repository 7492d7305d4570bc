/**
 * The words of a command as it is typed: what is filled in stays one word. A text between spaces must
 * have no quotes.
 */
export const words = (
  texts: TemplateStringsArray,
  ...values: readonly (string | number)[]
): string[] =>
  texts.flatMap((text, at) => {
    const typed = text.split(" ").filter((word) => word !== "");
    return at < values.length ? [...typed, String(values[at])] : typed;
  });
