/** Whose request it is: the connection's address, or what a proxy that the operator trusts says of it. */
import { BlockList, isIP, isIPv4 } from "node:net";

/** An IPv4 address that came mapped into IPv6 is the IPv4 address. */
function plain(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped?.[1] ?? address;
}

export function isLoopback(address: string): boolean {
  const own = plain(address);
  return own === "::1" || (isIPv4(own) && own.startsWith("127."));
}

const familyOf = (address: string) => (isIPv4(address) ? "ipv4" : "ipv6");

/** The trusted ones of a comma-separated list of addresses and CIDR ranges; null when an item is neither. */
export function parseTrustedProxies(text: string): BlockList | null {
  const list = new BlockList();
  for (const item of text.split(",").map((part) => part.trim())) {
    if (item === "") continue;
    const [address = "", prefix, more] = item.split("/");
    const bits = isIPv4(address) ? 32 : 128;
    if (isIP(address) === 0 || more !== undefined) return null;
    if (prefix === undefined) list.addAddress(address, familyOf(address));
    else if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) return null;
    else list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return list;
}

export type ClientAddress = (remoteAddress: string, forwardedFor: string | undefined) => string;

/** Whether a connection comes from a trusted proxy, which speaks for many clients. */
export function isTrustedProxy(trusted: BlockList | null, remoteAddress: string): boolean {
  const address = plain(remoteAddress);
  return trusted !== null && isIP(address) !== 0 && trusted.check(address, familyOf(address));
}

/** Reads `X-Forwarded-For` from its end, as far as those who wrote it are trusted: what a client put there itself is never believed. */
export function clientAddressReader(trusted: BlockList | null): ClientAddress {
  const isTrusted = (address: string) => isTrustedProxy(trusted, address);
  return (remoteAddress, forwardedFor) => {
    let address = plain(remoteAddress);
    if (forwardedFor === undefined || !isTrusted(address)) return address;
    for (const hop of forwardedFor.split(",").reverse()) {
      const named = plain(hop.trim());
      if (isIP(named) === 0) return address;
      address = named;
      if (!isTrusted(address)) return address;
    }
    return address;
  };
}
