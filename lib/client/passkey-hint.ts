/**
 * Whether a passkey was made or used in this browser. Only then the login page offers passkeys among
 * the suggestions of its email field: it would load much code for everyone else.
 */
import { keepText, keptText } from "./browser-keeps";

const NAME = "relay.passkey";

export const rememberPasskey = (): void => keepText(NAME, "1");
export const hadPasskey = (): boolean => keptText(NAME) !== null;
