/** The shape of email addresses, for forms and the command line; the API checks them with zod. */

/** Whether an account may have this address. The command line may name one such as `root@host`. */
export const mayBeEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);

/** Whether a person may give this address: its domain has a dot. */
export const isMailAddress = (text: string): boolean =>
  /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text);
