/** The further credentials of a channel beside its own: each has a name, and a share of the requests. */
import { isCredentialName, OWN_CREDENTIAL } from "../contract/channel-credentials";
import {
  CHANNEL_CREDENTIALS_MAX,
  CREDENTIAL_NAME_MAX,
  channelBounds,
  NAME_LENGTH_MAX,
} from "../contract/limits";
import { openedFor, sealedFor } from "../crypto/seal";
import { invalidValue } from "../failures/relay-error";
import { isRecord } from "../values/records";
import { cleanApiKey } from "./channel-fields";
import { CREDENTIAL_PURPOSE } from "./credential";

/** One as it is stored, with the encrypted credential as base64. */
export interface StoredCredential {
  readonly name: string;
  readonly weight: number;
  readonly setAt: string;
  readonly sealed: string;
}

/** One as an operator gives it. Without a key, the present one of that name is kept. */
export interface GivenCredential {
  readonly name: string;
  readonly weight?: number | undefined;
  readonly apiKey?: string | undefined;
}

export function readCredentials(stored: unknown): StoredCredential[] {
  return (Array.isArray(stored) ? stored : []).flatMap((each: unknown) => {
    if (!isRecord(each)) return [];
    const { name, weight, setAt, sealed } = each;
    const isWhole =
      typeof name === "string" &&
      typeof weight === "number" &&
      typeof setAt === "string" &&
      typeof sealed === "string";
    return isWhole ? [{ name, weight, setAt, sealed }] : [];
  });
}

const boundTo = (channelId: string, name: string) => `${channelId}/${name}`;

export function sealFurther(secret: string, channelId: string, name: string, key: string): string {
  const sealed = sealedFor(secret, CREDENTIAL_PURPOSE, boundTo(channelId, name), key);
  return Buffer.from(sealed).toString("base64");
}

/** Null when the secret is wrong, or when it was sealed for something else. */
export function unsealFurther(
  secret: string,
  channelId: string,
  { name, sealed }: Pick<StoredCredential, "name" | "sealed">,
): string | null {
  const whole = Buffer.from(sealed, "base64");
  return openedFor(secret, CREDENTIAL_PURPOSE, boundTo(channelId, name), whole);
}

function cleanGiven({ name, weight, apiKey }: GivenCredential, param: string): GivenCredential {
  if (!isCredentialName(name)) {
    const sent = JSON.stringify(name.slice(0, NAME_LENGTH_MAX));
    throw invalidValue(
      `${param}.name`,
      `${param}.name is ${sent}: it must have 1 to ${CREDENTIAL_NAME_MAX} letters, digits, dots, hyphens or underscores, and not be ${OWN_CREDENTIAL}, the name of the channel's own.`,
    );
  }
  const { min, max } = channelBounds.credentialWeight;
  if (weight !== undefined && !(Number.isInteger(weight) && weight >= min && weight <= max))
    throw invalidValue(
      `${param}.weight`,
      `${param}.weight is ${weight}: it must be a whole number from ${min} to ${max}.`,
    );
  if (apiKey !== undefined) cleanApiKey(apiKey, `${param}.api_key`);
  return { name, weight, apiKey };
}

/**
 * The credentials to store in place of `before`: those that are given, with their keys encrypted.
 * Throws `invalid_value`.
 */
export function furtherCredentials(
  secret: string,
  channelId: string,
  given: readonly GivenCredential[],
  before: readonly StoredCredential[],
): StoredCredential[] {
  if (given.length > CHANNEL_CREDENTIALS_MAX)
    throw invalidValue(
      "credentials",
      `credentials has ${given.length} entries: a channel can have at most ${CHANNEL_CREDENTIALS_MAX} beside its own.`,
    );
  return given.map((each, place) => {
    const param = `credentials[${place}]`;
    const { name, weight, apiKey } = cleanGiven(each, param);
    if (given.slice(0, place).some((one) => one.name === name))
      throw invalidValue(
        `${param}.name`,
        `${param}.name is ${name}, as another one's: names differ.`,
      );
    const known = before.find((one) => one.name === name);
    if (apiKey !== undefined) {
      const sealed = sealFurther(secret, channelId, name, apiKey);
      return {
        name,
        weight: weight ?? known?.weight ?? 1,
        setAt: new Date().toISOString(),
        sealed,
      };
    }
    if (known === undefined)
      throw invalidValue(`${param}.api_key`, `${param}.api_key is missing: ${name} is new.`);
    return { ...known, weight: weight ?? known.weight };
  });
}
