/** The further credentials of a channel, as its form holds them. */
import { isCredentialName } from "@/lib/contract/channel-credentials";
import { channelBounds, UPSTREAM_KEY_LENGTH_MAX } from "@/lib/contract/limits";
import type { ChannelView, CreateChannelBody } from "@/lib/contract/operator-channels";

export interface CredentialInput {
  name: string;
  weight: string;
  /** Empty to keep the present one. */
  apiKey: string;
  isNew: boolean;
}

export const newCredential = (): CredentialInput => ({
  name: "",
  weight: "1",
  apiKey: "",
  isNew: true,
});

export const credentialInputs = ({ credentials }: ChannelView): CredentialInput[] =>
  credentials.map(({ name, weight }) => ({
    name,
    weight: String(weight),
    apiKey: "",
    isNew: false,
  }));

export function isShare(text: string): boolean {
  const { min, max } = channelBounds.credentialWeight;
  return /^\d{1,4}$/.test(text.trim()) && Number(text) >= min && Number(text) <= max;
}

export const isKey = (text: string) =>
  text.length <= UPSTREAM_KEY_LENGTH_MAX && /^[\x21-\x7e]+$/.test(text);

export function isCredential(input: CredentialInput): boolean {
  const [given, key] = [input.name.trim(), input.apiKey.trim()];
  const hasKey = key === "" ? !input.isNew : isKey(key);
  return isCredentialName(given) && isShare(input.weight) && hasKey;
}

export function areCredentials(inputs: readonly CredentialInput[]): boolean {
  const names = new Set(inputs.map((input) => input.name.trim()));
  return names.size === inputs.length && inputs.every(isCredential);
}

export const credentialBodies = (
  inputs: readonly CredentialInput[],
): CreateChannelBody["credentials"] =>
  inputs.map((input) => {
    const apiKey = input.apiKey.trim();
    const named = { name: input.name.trim(), weight: Number(input.weight) };
    return apiKey === "" ? named : { ...named, apiKey };
  });
