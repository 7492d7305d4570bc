/** The proxy through which a channel's upstream is reached. Its user and password are kept encrypted. */
import { BASE_URL_LENGTH_MAX } from "../contract/limits";
import { openedFor, sealedFor } from "../crypto/seal";
import { invalidValue } from "../failures/relay-error";
import { CREDENTIAL_PURPOSE } from "./credential";

const schemes = ["http:", "https:", "socks5:"];
/** SOCKS5 has one byte for the length of either. */
const CREDENTIAL_BYTES_MAX = 255;

const refuse = (message: string) => invalidValue("proxy", message);

interface Proxy {
  /** Without user and password: it may be shown. */
  readonly address: string;
  /** `user:password` as they stand in an address; null for none. */
  readonly credential: string | null;
}

/** Throws `invalid_value`. */
export function cleanProxy(text: string): Proxy {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  if (url === null || !schemes.includes(url.protocol) || url.hostname === "")
    throw refuse("The proxy must be an address that starts with http://, https:// or socks5://.");
  if (!["", "/"].includes(url.pathname) || url.search !== "" || url.hash !== "")
    throw refuse("The proxy must have no path, query or fragment: such as socks5://host:1080.");
  const { protocol, host, username, password } = url;
  const isLong = [username, password].some(
    (part) => Buffer.byteLength(decodeURIComponent(part)) > CREDENTIAL_BYTES_MAX,
  );
  if (isLong || (username === "" && password !== ""))
    throw refuse(
      `The proxy's user and password have at most ${CREDENTIAL_BYTES_MAX} bytes each, and no password is without a user.`,
    );
  const address = `${protocol}//${host}`;
  if (address.length > BASE_URL_LENGTH_MAX)
    throw refuse(`The proxy's address must have at most ${BASE_URL_LENGTH_MAX} characters.`);
  return { address, credential: username === "" ? null : `${username}:${password}` };
}

const boundTo = (channelId: string) => `${channelId} proxy`;

export const sealProxy = (secret: string, channelId: string, credential: string) =>
  sealedFor(secret, CREDENTIAL_PURPOSE, boundTo(channelId), credential);

/** Null when the secret is wrong, or when it was sealed for something else. */
export const unsealProxy = (secret: string, channelId: string, sealed: Uint8Array) =>
  openedFor(secret, CREDENTIAL_PURPOSE, boundTo(channelId), sealed);

export const proxyAddress = (address: string, credential: string | null): string =>
  credential === null ? address : address.replace("//", `//${credential}@`);
