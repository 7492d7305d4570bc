/**
 * Determines the client's address: that of the connection, or the one that a trusted proxy reports.
 */
import { BlockList, isIP } from "node:net";
import { addressListOf, familyOf, isListed, plain } from "./address-list";

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
  const items = text.split(",").map((part) => part.trim());
  const list = addressListOf(items.filter((item) => item !== ""));
  return typeof list === "string" ? null : list;
}

export type ClientAddress = (remoteAddress: string, forwardedFor: string | undefined) => string;

/** Whether a connection comes from a trusted proxy, which forwards the requests of many clients. */
export function isTrustedProxy(trusted: BlockList | null, remoteAddress: string): boolean {
  return trusted !== null && isListed(trusted, remoteAddress);
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
