/** Passkeys in the browser. The library is loaded when one is asked for. */
import type {
  Assertion,
  AssertionWanted,
  Registration,
  RegistrationWanted,
} from "../contract/passkeys";
import { signInStepEndpoints } from "../contract/sign-in-steps";
import { call } from "./call";
import { rememberPasskey } from "./passkey-hint";

const TIMEOUT_MS = 5 * 60_000;
const PUBLIC_KEY = "public-key" as const;
/** EdDSA, ES256 and RS256. */
const algorithms = [-8, -7, -257].map((alg) => ({ alg, type: PUBLIC_KEY }));

/** Rejects when the user cancels, or the browser has no fitting passkey. */
async function assertionOf(
  { challenge, rpId, passkeys }: AssertionWanted,
  useBrowserAutofill: boolean,
): Promise<Assertion> {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const optionsJSON = {
    challenge,
    rpId,
    timeout: TIMEOUT_MS,
    userVerification: "required" as const,
    allowCredentials: passkeys.map((each) => ({ ...each, type: PUBLIC_KEY })),
  };
  const { id, response } = await startAuthentication({ optionsJSON, useBrowserAutofill });
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return { id, clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) };
}

/** Signs in, or completes a sign-in. `isQuiet`: among the suggestions of the email field. */
export async function signInWithPasskey(isQuiet = false): Promise<void> {
  const wanted = await call(signInStepEndpoints.startPasskeySignIn, {});
  const body = await assertionOf(wanted, isQuiet);
  await call(signInStepEndpoints.signInWithPasskey, { body });
  rememberPasskey();
}

/** Proves in a session that it is the user. */
export async function proveWithPasskey(): Promise<void> {
  const wanted = await call(signInStepEndpoints.startPasskeyProof, {});
  await call(signInStepEndpoints.proveWithPasskey, { body: await assertionOf(wanted, false) });
}

export async function newPasskey(wanted: RegistrationWanted, name: string): Promise<Registration> {
  const { challenge, rpId, rpName, userId, userName, existing } = wanted;
  const { startRegistration } = await import("@simplewebauthn/browser");
  const optionsJSON = {
    challenge,
    rp: { id: rpId, name: rpName },
    user: { id: userId, name: userName, displayName: userName },
    pubKeyCredParams: algorithms,
    timeout: TIMEOUT_MS,
    excludeCredentials: existing.map((id) => ({ id, type: PUBLIC_KEY })),
    authenticatorSelection: {
      residentKey: "required" as const,
      requireResidentKey: true,
      userVerification: "required" as const,
    },
  };
  const { id, response } = await startRegistration({ optionsJSON });
  const { clientDataJSON, attestationObject, transports } = response;
  rememberPasskey();
  return { name, id, clientDataJSON, attestationObject, ...(transports && { transports }) };
}
