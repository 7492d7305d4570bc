/**
 * Tests that no spelling of an internal address is ever connected to, also after a redirect or a
 * new DNS answer.
 */
import { createServer } from "node:http";
import { expect, test } from "vitest";
import { listen } from "@/testing/stage/listen";
import { opened } from "@/testing/unit/opened";
import { isGlobalAddress } from "./global-address";
import { AddressRefused, createGuardedAgent } from "./guarded-agent";

let connections = 0;
const server = createServer((_, response) => response.end("inside"));
const inside = await opened(listen(server.on("connection", () => connections++)));
const { port } = inside;

const insideIpv4 = [
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "10.255.255.255",
  "100.64.0.1",
  "100.127.255.254",
  "127.0.0.1",
  "127.1.2.3",
  "127.255.255.254",
  "169.254.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.1",
  "192.0.0.170",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.0.1",
  "192.168.255.255",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.7",
  "203.0.113.9",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
];
const insideIpv6 = [
  "::",
  "::1",
  "::2",
  "fe80::1",
  "febf::1",
  "fec0::1",
  "fc00::1",
  "fd00:ec2::254",
  "fdff::1",
  "ff00::1",
  "ff02::1",
  "ff0e::1",
  "100::1",
  "2001::1",
  "2001:10::1",
  "2001:20::1",
  "2001:db8::1",
  "2001:db8:ffff::1",
  "2002:7f00:1::",
  "2002:808:808::",
  "3fff::1",
  "3ffe::1",
  "5f00::1",
  "64:ff9b::7f00:1",
  "64:ff9b::808:808",
  "64:ff9b:1::1",
  "4000::1",
  "e000::1",
  "1::1",
];
const outside = [
  "1.1.1.1",
  "8.8.8.8",
  "93.184.215.14",
  "100.63.255.255",
  "100.128.0.1",
  "172.15.255.255",
  "172.32.0.1",
  "192.0.1.1",
  "198.17.255.255",
  "198.20.0.1",
  "223.255.255.255",
  "126.255.255.255",
  "128.0.0.1",
  "2001:4860:4860::8888",
  "2606:4700::1111",
  "2a00:1450::1",
  "2400::1",
];

/** The ways to write one IPv4 address in a URL. */
function spellings(address: string): string[] {
  const bytes = address.split(".").map(Number) as [number, number, number, number];
  const [a, b, c, d] = bytes;
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (value: number) => `0x${value.toString(16)}`;
  const octal = (value: number) => `0${value.toString(8)}`;
  const pair = (high: number, low: number) => (high * 256 + low).toString(16);
  return [
    address,
    `${address}.`,
    String(whole),
    hex(whole),
    octal(whole),
    bytes.map(hex).join("."),
    bytes.map(octal).join("."),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${hex(a)}.${b}.${octal(c)}.${d}`,
    `0000${octal(a)}.${b}.${c}.${d}`,
    address.replaceAll(".", "%2e"),
    [...address].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join(""),
    address.replaceAll(".", "。"),
    [...address]
      .map((sign) => (sign === "." ? sign : String.fromCharCode(sign.charCodeAt(0) + 0xfee0)))
      .join(""),
    `[::ffff:${address}]`,
    `[::ffff:${pair(a, b)}:${pair(c, d)}]`,
    `[::${address}]`,
    `[64:ff9b::${address}]`,
    `[2002:${pair(a, b)}:${pair(c, d)}::1]`,
    `[::ffff:0:${address}]`,
    `user:secret@${address}`,
    `1.1.1.1@${address}`,
  ];
}
const names = [
  "localhost",
  "LOCALHOST",
  "localhost.",
  "a.localhost",
  "ip6-localhost",
  "metadata.google.internal",
  "inside.example",
  "ⓛocalhost",
  "127.0.0.1.nip.example",
];
const corpus = [
  ...insideIpv4.flatMap(spellings),
  ...insideIpv6.flatMap((address) => [
    `[${address}]`,
    `[${address.toUpperCase()}]`,
    `[${address}%25lo]`,
  ]),
  ...names,
];

async function refusalOf(
  agent: ReturnType<typeof createGuardedAgent>,
  spelling: string,
): Promise<string> {
  const address = `http://${spelling}:${port}/`;
  if (!URL.canParse(address)) return "no address";
  const { origin } = new URL(address);
  try {
    await agent.request({ origin, path: "/", method: "GET", signal: AbortSignal.timeout(2000) });
    return "answered";
  } catch (error) {
    return error instanceof AddressRefused ? "refused" : `failed otherwise: ${error}`;
  }
}

test("over 400 spellings of internal addresses open no connection", async () => {
  expect(new Set(corpus).size).toBeGreaterThanOrEqual(400);
  const agent = createGuardedAgent((_, done) => done(null, [{ address: "127.0.0.1", family: 4 }]));
  const answers = await Promise.all(
    corpus.map(async (spelling) => [spelling, await refusalOf(agent, spelling)] as const),
  );
  expect(answers.filter(([, answer]) => answer !== "refused" && answer !== "no address")).toEqual(
    [],
  );
  expect(answers.filter(([, answer]) => answer === "refused").length).toBeGreaterThanOrEqual(400);
  expect(connections).toBe(0);
  await agent.destroy();
});

test("a name with one internal address among others is refused", async () => {
  const agent = createGuardedAgent((_, done) =>
    done(null, [
      { address: "1.1.1.1", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ]),
  );
  expect(await refusalOf(agent, "two.example")).toBe("refused");
  await agent.destroy();
});

test("a name that is public at the first look-up and internal later is refused when it connects", async () => {
  let asked = 0;
  const agent = createGuardedAgent((_, done) =>
    done(null, [{ address: asked++ === 0 ? "not an address" : "127.0.0.1", family: 4 }]),
  );
  expect(await refusalOf(agent, "rebinding.example")).toBe("refused");
  expect(await refusalOf(agent, "rebinding.example")).toBe("refused");
  expect(asked).toBe(2);
  expect(connections).toBe(0);
  await agent.destroy();
});

test.each(outside)("%s is a public address", (address) => {
  expect(isGlobalAddress(address)).toBe(true);
});

test.each([
  ...insideIpv4,
  ...insideIpv6,
  "",
  "example.org",
  "1.1.1",
  "1.1.1.1 ",
  "2606:4700::1111%lo",
  "::ffff:1.1.1.1",
])("%j is not a public address", (address) => {
  expect(isGlobalAddress(address)).toBe(false);
});
