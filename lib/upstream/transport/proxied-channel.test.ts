/** Tests that a channel with a proxy is reached through it, and only through it. */
import { afterEach, expect, test } from "vitest";
import {
  type OutboundProxy,
  startConnectProxy,
  startSocksProxy,
} from "@/testing/upstream/outbound-proxies";
import { saying, startUpstream, usageOf } from "@/testing/upstream/test-upstream";
import { createResultFetcher } from "../../media/fetch-result";
import { createProviders } from "../wiring/create-providers";

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const kinds = { http: startConnectProxy, socks5: startSocksProxy } as const;
type Kind = keyof typeof kinds;

async function stage(kind: Kind, withUser: boolean) {
  const expected = withUser ? { user: "us:er", password: "p@ss" } : null;
  const proxy: OutboundProxy = await kinds[kind](expected);
  const upstream = await startUpstream(saying("OK", usageOf(7, 1)));
  const providers = createProviders();
  endings.push(proxy.close, upstream.close, () => providers.close());
  const { port } = new URL(upstream.url);
  const channelBy = (user: string) =>
    upstream.channel({
      // A name that only the proxy can look up.
      baseUrl: `http://upstream.invalid:${port}/v1`,
      proxy: `${kind}://${user}127.0.0.1:${proxy.port}`,
    });
  return { proxy, upstream, providers, channelBy, host: `upstream.invalid:${port}` };
}

const body = JSON.stringify({ model: "m", messages: [] });

test.each<[Kind, boolean]>([
  ["http", false],
  ["http", true],
  ["socks5", false],
  ["socks5", true],
])(
  "%s, with a user: %s: the proxy looks the name up, and its connections are kept",
  async (kind, withUser) => {
    const { proxy, upstream, providers, channelBy, host } = await stage(kind, withUser);
    const channel = channelBy(withUser ? "us%3Aer:p%40ss@" : "");
    for (let count = 0; count < 8; count++)
      expect(await providers.chat.complete(channel, body)).toMatchObject({ isOk: true });
    expect(new Set(proxy.tunnels)).toEqual(new Set([host]));
    expect(proxy.tunnels.length).toBeLessThan(4);
    expect(await providers.reach(channel)).toBeNull();
    expect(upstream.seen.map(({ headers }) => headers.authorization)).toEqual(
      Array(9).fill("Bearer upstream-secret"),
    );
    expect(JSON.stringify(upstream.seen)).not.toContain("proxy-authorization");
    const before = proxy.tunnels.length;
    const fetcher = createResultFetcher();
    const file = await fetcher.fetch(channel, `http://${host}/v1/file`, {
      bytesMax: 9999,
      totalMs: 9000,
    });
    for await (const part of file) expect(part.byteLength).toBeGreaterThan(0);
    await fetcher.close();
    expect(proxy.tunnels.slice(before)).toEqual([host]);
  },
);

test.each<Kind>(["http", "socks5"])(
  "%s: a wrong password is the operator's to mend, costs nothing, and is not in the message",
  async (kind) => {
    const { providers, channelBy, upstream } = await stage(kind, true);
    const result = await providers.chat.complete(channelBy("us%3Aer:canary@"), body);
    expect(result).toMatchObject({
      isOk: false,
      failure: { isSurelyFree: true, isOperatorFault: true, code: "upstream_failed" },
    });
    expect(JSON.stringify(result)).not.toMatch(/canary|us:er/);
    expect(JSON.stringify(result)).toContain("PROXY_REFUSED");
    expect(upstream.seen).toEqual([]);
  },
);

test("a proxy that is gone fails the attempt before anything was sent", async () => {
  const { proxy, providers, channelBy } = await stage("socks5", false);
  await proxy.close();
  expect(await providers.chat.complete(channelBy(""), body)).toMatchObject({
    failure: { isSurelyFree: true, isOperatorFault: false },
  });
});
