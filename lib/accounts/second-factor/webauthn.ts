/** The library for passkeys, loaded at its first use, with our rules. */
import type { Assertion, Registration } from "../../contract/passkeys";
import type { Passkey } from "../../db/generated/client";
import { RelayError } from "../../failures/relay-error";

const load = () => import("@simplewebauthn/server");

/** The person must have unlocked the authenticator; the address must be the installation's. */
const rules = (publicUrl: string) => ({
  expectedOrigin: new URL(publicUrl).origin,
  expectedRPID: rpIdOf(publicUrl),
  requireUserVerification: true,
});

export const rpIdOf = (publicUrl: string): string => new URL(publicUrl).hostname;

const refuse = (cause: unknown): never => {
  throw new RelayError("passkey_refused", { cause });
};

const credentialOf = (id: string) => ({
  id,
  rawId: id,
  type: "public-key" as const,
  clientExtensionResults: {},
});

/** The new credential. Rejects with `passkey_refused`. */
export async function verifiedRegistration(
  publicUrl: string,
  expectedChallenge: string,
  { id, clientDataJSON, attestationObject }: Registration,
) {
  const { verifyRegistrationResponse } = await load();
  const response = { ...credentialOf(id), response: { clientDataJSON, attestationObject } };
  const given = { ...rules(publicUrl), expectedChallenge, response };
  const found = await verifyRegistrationResponse(given).catch(refuse);
  return found.verified ? found.registrationInfo.credential : refuse("unverified");
}

/** The authenticator's new counter. Rejects with `passkey_refused`, also when it went back. */
export async function verifiedCounter(
  publicUrl: string,
  expectedChallenge: string,
  { assertion, passkey }: { assertion: Assertion; passkey: Passkey },
): Promise<bigint> {
  const { verifyAuthenticationResponse } = await load();
  const { id, clientDataJSON, authenticatorData, signature } = assertion;
  const response = {
    ...credentialOf(id),
    response: { clientDataJSON, authenticatorData, signature },
  };
  const { credentialId, publicKey, counter } = passkey;
  const credential = {
    id: credentialId,
    publicKey: new Uint8Array(publicKey),
    counter: Number(counter),
  };
  const given = { ...rules(publicUrl), expectedChallenge, response, credential };
  const found = await verifyAuthenticationResponse(given).catch(refuse);
  return found.verified ? BigInt(found.authenticationInfo.newCounter) : refuse("unverified");
}
