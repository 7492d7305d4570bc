/** Items in one line: `a, b` or `a、b`. */
export const listText = (items: readonly string[], locale: string): string =>
  items.join(locale.startsWith("zh") ? "、" : ", ");
