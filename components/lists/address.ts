/**
 * Writes parameters into the page's URL, so that they can be shared and the back button works. Null
 * removes a parameter. `replace`: the back button skips the URL before.
 */
export function changeAddress(
  changes: Readonly<Record<string, string | null>>,
  how: "push" | "replace" = "push",
): void {
  const address = new URL(window.location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) address.searchParams.delete(name);
    else address.searchParams.set(name, value);
  }
  window.history[`${how}State`](null, "", address);
}

/**
 * A parameter of the page's URL now. What changes what was chosen before reads it here: choices may
 * come faster than the page is drawn again.
 */
export const presentParameter = (name: string): string | null =>
  new URL(window.location.href).searchParams.get(name);

/** The URL of a page with its present parameters and one more, for a link. */
export function withParameter(
  path: string,
  search: URLSearchParams,
  name: string,
  value: string,
): string {
  const next = new URLSearchParams(search);
  next.set(name, value);
  return `${path}?${next}`;
}
