import { expect, test } from "vitest";
import { addressListOf, isListed } from "./address-list";

const listed = (texts: string[], address: string) => {
  const list = addressListOf(texts);
  return typeof list === "string" ? `refused ${list}` : isListed(list, address);
};

test.each([
  ["203.0.113.7", "203.0.113.7", true],
  ["203.0.113.7", "203.0.113.8", false],
  ["203.0.113.0/24", "203.0.113.255", true],
  ["203.0.113.0/24", "203.0.114.0", false],
  ["0.0.0.0/0", "198.51.100.1", true],
  ["0.0.0.0/0", "2001:db8::1", false],
  ["2001:db8::/32", "2001:db8:ffff::1", true],
  ["2001:db8::/32", "2001:db9::1", false],
  ["2001:db8::1", "2001:0db8:0:0::1", true],
  // A connection over IPv6 may name an IPv4 client.
  ["203.0.113.0/24", "::ffff:203.0.113.9", true],
  ["::ffff:203.0.113.9", "203.0.113.9", true],
  ["203.0.113.0/24", "::ffff:cb00:7109", true],
  ["203.0.113.0/24", "::ffff:cb00:7209", false],
  ["::ffff:203.0.113.0/120", "203.0.113.9", true],
  ["::ffff:203.0.113.0/120", "203.0.114.9", false],
  // Every IPv4 address is a mapped one too, so this is everywhere.
  ["::/0", "203.0.113.9", true],
  ["203.0.113.0/24", "an unknown address", false],
  ["203.0.113.0/24", "", false],
])("%s admits %s: %s", (range, address, isIn) => {
  expect(listed([range], address)).toBe(isIn);
});

test.each([
  "203.0.113",
  "203.0.113.7/33",
  "203.0.113.7/",
  "203.0.113.7/8/8",
  "2001:db8::/129",
  "fe80::1%eth0",
  "example.com",
  "",
])("%s is no address", (text) => {
  expect(listed(["198.51.100.1", text], "198.51.100.1")).toBe(`refused ${text}`);
});
