/** The names of a channel's credentials. The browser imports this file too. */
import { CREDENTIAL_NAME_MAX } from "./limits";

/** The name of the channel's own credential where it has further ones. */
export const OWN_CREDENTIAL = "main";
const pattern = new RegExp(`^[A-Za-z0-9][A-Za-z0-9._-]{0,${CREDENTIAL_NAME_MAX - 1}}$`);

/** Whether a further credential may have the name. */
export const isCredentialName = (name: string): boolean =>
  pattern.test(name) && name !== OWN_CREDENTIAL;
