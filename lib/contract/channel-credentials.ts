/** The names of a channel's credentials. The browser imports this file too. */
import { CREDENTIAL_NAME_MAX } from "./limits";

/** The name of the channel's own credential where it has further ones. */
export const OWN_CREDENTIAL = "main";

/** Whether a further credential may have the name. */
export const isCredentialName = (name: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name) &&
  name.length <= CREDENTIAL_NAME_MAX &&
  name !== OWN_CREDENTIAL;
