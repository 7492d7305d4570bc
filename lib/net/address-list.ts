/** Lists of network addresses: single ones, and ranges as CIDR. */
import { BlockList, isIP, isIPv4 } from "node:net";

export const familyOf = (address: string) => (isIPv4(address) ? "ipv4" : "ipv6");

/**
 * The IPv4 address of one mapped into IPv6, in the form that Node gives to a connection. It runs
 * for every request: `ipaddr.js` takes 2.8 µs, this takes 0.1 µs (docs/decisions/libraries.md).
 */
export function plain(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped?.[1] ?? address;
}

/** False when the text is neither an address nor a range. */
function add(list: BlockList, text: string): boolean {
  const [named = "", prefix, more] = text.split("/");
  const address = prefix === undefined ? plain(named) : named;
  // A zone belongs to one machine's interfaces.
  if (isIP(address) === 0 || address.includes("%") || more !== undefined) return false;
  const bits = isIPv4(address) ? 32 : 128;
  if (prefix === undefined) list.addAddress(address, familyOf(address));
  else if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) return false;
  else list.addSubnet(address, Number(prefix), familyOf(address));
  return true;
}

/** The list, or the first text that is neither an address nor a range. */
export function addressListOf(texts: readonly string[]): BlockList | string {
  const list = new BlockList();
  return texts.find((text) => !add(list, text)) ?? list;
}

/** Whether an address is on the list; no text that is not an address is. */
export function isListed(list: BlockList, text: string): boolean {
  const address = plain(text);
  return isIP(address) !== 0 && list.check(address, familyOf(address));
}
