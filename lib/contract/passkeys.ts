/** What a passkey needs and sends, in the pages' API. Binary values are base64url. */
import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { PASSKEY_NAME_LENGTH_MAX } from "./limits";
import { shownName } from "./shown-text";

const binary = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/, "it must be base64url");
const credentialId = binary(1400);
const transports = z.array(z.string().max(40)).max(10);

export const passkeyName = shownName(PASSKEY_NAME_LENGTH_MAX);

/** What `navigator.credentials.get` answers. */
export const assertion = z.strictObject({
  id: credentialId,
  clientDataJSON: binary(8000),
  authenticatorData: binary(8000),
  signature: binary(8000),
  userHandle: binary(200).optional(),
});

/** What `navigator.credentials.create` answers, and a name for it. */
export const registration = z.strictObject({
  name: passkeyName,
  id: credentialId,
  clientDataJSON: binary(8000),
  attestationObject: binary(40_000),
  transports: transports.optional(),
});

/** No passkeys: the browser offers those that it knows. */
export const assertionWanted = z.object({
  challenge: answerText,
  rpId: answerText,
  passkeys: answerRows(z.object({ id: answerText, transports: answerRows(answerText) })),
});

export const registrationWanted = z.object({
  challenge: answerText,
  rpId: answerText,
  rpName: answerText,
  userId: answerText,
  userName: answerText,
  existing: answerRows(answerText),
});

export const passkeyView = z.object({
  id: answerText,
  name: answerText,
  createdAt: moment,
  lastUsedAt: moment.nullable(),
});

export type Assertion = z.infer<typeof assertion>;
export type Registration = z.infer<typeof registration>;
export type AssertionWanted = z.infer<typeof assertionWanted>;
export type RegistrationWanted = z.infer<typeof registrationWanted>;
export type PasskeyView = z.infer<typeof passkeyView>;
