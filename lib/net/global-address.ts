/**
 * Which IP addresses are on the public internet. An address that is not certainly public counts as
 * internal.
 */
import { BlockList, isIPv4, isIPv6 } from "node:net";

const insideRanges = {
  ipv4: [
    "0.0.0.0/8", // this network
    "10.0.0.0/8",
    "100.64.0.0/10", // shared by carriers
    "127.0.0.0/8",
    "169.254.0.0/16", // link-local, and where clouds keep their metadata
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24", // documentation
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24", // 6to4 relays
    "192.168.0.0/16",
    "192.175.48.0/24",
    "198.18.0.0/15", // benchmarks
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4", // multicast
    "240.0.0.0/4",
  ],
  /** Exceptions within 2000::/3, the only allocated part of IPv6. */
  ipv6: [
    "2001::/23", // protocol assignments, Teredo
    "2001:db8::/32", // documentation
    "2002::/16", // 6to4 carries an IPv4 address
    "2620:4f:8000::/48",
    "3ffe::/16",
    "3fff::/20", // documentation
  ],
} as const;

function listOf(ranges: readonly string[], type: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", prefix] = range.split("/");
    list.addSubnet(network, Number(prefix), type);
  }
  return list;
}

const insideIpv4 = listOf(insideRanges.ipv4, "ipv4");
const insideIpv6 = listOf(insideRanges.ipv6, "ipv6");
const givenOut = listOf(["2000::/3"], "ipv6");

/**
 * True for an address of the public internet. False for everything else, including names and
 * unusual spellings of an address.
 */
export function isGlobalAddress(address: string): boolean {
  if (isIPv4(address)) return !insideIpv4.check(address, "ipv4");
  // A zone id names an interface of this machine. Mapped addresses, NAT64 and other carriers of
  // IPv4 are outside of 2000::/3.
  if (!isIPv6(address) || address.includes("%")) return false;
  return givenOut.check(address, "ipv6") && !insideIpv6.check(address, "ipv6");
}
