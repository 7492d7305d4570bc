/**
 * Whether a passkey was made or used in this browser. Only then the login page offers passkeys among
 * the suggestions of its email field: it would load much code for everyone else.
 */
const NAME = "relay.passkey";

export function rememberPasskey(): void {
  try {
    localStorage.setItem(NAME, "1");
  } catch {
    // Storage may be blocked. Then only the button offers passkeys.
  }
}

export function hadPasskey(): boolean {
  try {
    return localStorage.getItem(NAME) !== null;
  } catch {
    return false;
  }
}
