import { expect, test } from "vitest";
import { clientAddressReader, isLoopback, parseTrustedProxies } from "./client-address";

const reader = (trusted: string) => clientAddressReader(parseTrustedProxies(trusted));

test("a client's own X-Forwarded-For is ignored unless a trusted proxy passed it on", () => {
  expect(reader("")("198.51.100.7", "203.0.113.9")).toBe("198.51.100.7");
  expect(clientAddressReader(null)("::ffff:198.51.100.7", "203.0.113.9")).toBe("198.51.100.7");
  const read = reader("10.0.0.0/8, 127.0.0.1,fd00::/8");
  expect(read("198.51.100.7", "203.0.113.9")).toBe("198.51.100.7");
  expect(read("10.1.2.3", undefined)).toBe("10.1.2.3");
  expect(read("10.1.2.3", "203.0.113.9")).toBe("203.0.113.9");
  expect(read("::ffff:10.1.2.3", "203.0.113.9")).toBe("203.0.113.9");
  expect(read("fd00::1", "2001:db8::5")).toBe("2001:db8::5");
});

test("in a chain of proxies the last address not written by a trusted one counts, whatever precedes it", () => {
  const read = reader("10.0.0.0/8");
  expect(read("10.0.0.1", "1.1.1.1, 203.0.113.9, 10.0.0.2")).toBe("203.0.113.9");
  expect(read("10.0.0.1", "1.1.1.1, nonsense, 10.0.0.2")).toBe("10.0.0.2");
  expect(read("10.0.0.1", "nonsense")).toBe("10.0.0.1");
  expect(read("10.0.0.1", "10.0.0.3, 10.0.0.2")).toBe("10.0.0.3");
});

test("the list of proxies accepts addresses and ranges and refuses anything else", () => {
  for (const text of ["", "10.0.0.1", "10.0.0.0/8,::1", "fd00::/8"])
    expect(parseTrustedProxies(text), text).not.toBeNull();
  for (const text of [
    "proxy.example.com",
    "10.0.0.0/33",
    "10.0.0.0/8/8",
    "10.0.0.0/-1",
    "::1/129",
    "all",
  ]) {
    expect(parseTrustedProxies(text), text).toBeNull();
  }
});

test("only addresses of this machine are loopback", () => {
  for (const address of ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1"])
    expect(isLoopback(address), address).toBe(true);
  for (const address of [
    "10.0.0.1",
    "::2",
    "128.0.0.1",
    "",
    "127.evil.example.com",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
  ])
    expect(isLoopback(address), address).toBe(false);
});
