/** SQL: the email address of an account's owner; null for one that is closed. */
export const ownerEmail = (account: string): string =>
  `(select o.email from account_member m join "user" o on o.id = m.user_id where m.account_id = ${account} and m.role = 'owner')`;
