/**
 * Determines the client's address: that of the connection, or the one that a trusted proxy reports.
 */
import { BlockList, isIP, isIPv4 } from "node:net";

/**
 * The IPv4 address of one mapped into IPv6, in the form that Node gives to a connection. It runs
 * for every request: `ipaddr.js` takes 2.8 µs, this takes 0.1 µs (docs/decisions/libraries.md).
 */
function plain(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped?.[1] ?? address;
}

const familyOf = (address: string) => (isIPv4(address) ? "ipv4" : "ipv6");

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

export function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && loopback.check(address, familyOf(address));
}

/**
 * Parses a comma-separated list of trusted addresses and CIDR ranges; null when an item is neither.
 */
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

/** Whether a connection comes from a trusted proxy, which forwards the requests of many clients. */
export function isTrustedProxy(trusted: BlockList | null, remoteAddress: string): boolean {
  const address = plain(remoteAddress);
  return trusted !== null && isIP(address) !== 0 && trusted.check(address, familyOf(address));
}

/**
 * Reads `X-Forwarded-For` from its end, as long as the entries were written by trusted proxies:
 * what a client wrote itself is never trusted.
 */
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
