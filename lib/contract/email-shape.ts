/** The one rule of email addresses, for the pages, the API, issuers and the command line. */
import { EMAIL_LENGTH_MAX } from "./limits";
import { isShownText } from "./shown-rule";

/** ASCII only, with a dot in the domain: what a mail server anywhere takes. */
export const MAIL_ADDRESS = /^[\w'+-]+(?:\.[\w'+-]+)*@(?:[a-z0-9][a-z0-9-]*\.)+[a-z][a-z0-9-]+$/i;

/** Whether an account may have this address. The command line may name one such as `root@host`. */
export const mayBeEmail = (text: string): boolean =>
  text.length <= EMAIL_LENGTH_MAX && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(text) && isShownText(text);

/** Whether a person or an issuer may give this address. */
export const isMailAddress = (text: string): boolean =>
  text.length <= EMAIL_LENGTH_MAX && MAIL_ADDRESS.test(text);
