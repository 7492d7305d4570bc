/** Writes a filter into the page's address, where it can be shared and the back button finds it; null removes a part. */
export function changeAddress(changes: Readonly<Record<string, string | null>>): void {
  const address = new URL(window.location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) address.searchParams.delete(name);
    else address.searchParams.set(name, value);
  }
  window.history.pushState(null, "", address);
}
