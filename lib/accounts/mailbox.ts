/** Whether two addresses reach the same person, as far as that can be seen. */

/** A provider that leaves dots out. */
const dotless = /^(gmail|googlemail)\.com$/;

function mailboxOf(email: string): string {
  const address = email.trim().toLowerCase();
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  const name = address.slice(0, at).replace(/\+.*$/, "");
  return dotless.test(domain) ? `${name.replaceAll(".", "")}@gmail.com` : `${name}@${domain}`;
}

export const isSameMailbox = (one: string, other: string): boolean =>
  mailboxOf(one) === mailboxOf(other);
