/** The members of a type in the text of a package's declarations. */
export function membersOf(text: string, type: string): string[] {
  const start = text.search(new RegExp(`(type|interface) ${type}\\b[^{]*\\{`));
  const body = text.slice(start, text.indexOf("\n}", start));
  return [...body.matchAll(/^ {4}(\w+)\??:/gm)].map(([, name = ""]) => name);
}
