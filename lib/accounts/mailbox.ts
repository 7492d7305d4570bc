/** Whether two addresses reach the same person, as far as that can be seen. */

/** Providers that leave dots out. */
const dotless = new Set(["gmail.com", "googlemail.com"]);

function mailboxOf(email: string): string {
  const address = email.trim().toLowerCase();
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  const name = address.slice(0, at).replace(/\+.*$/, "");
  return dotless.has(domain) ? `${name.replaceAll(".", "")}@gmail.com` : `${name}@${domain}`;
}

export const isSameMailbox = (one: string, other: string): boolean =>
  mailboxOf(one) === mailboxOf(other);
