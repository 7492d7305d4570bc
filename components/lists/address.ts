/**
 * Writes filters into the page's URL, so that they can be shared and the back button works. Null
 * removes a parameter.
 */
export function changeAddress(changes: Readonly<Record<string, string | null>>): void {
  const address = new URL(window.location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) address.searchParams.delete(name);
    else address.searchParams.set(name, value);
  }
  window.history.pushState(null, "", address);
}
