/**
 * What everybody may read, by nobody in particular. Bound: 64 connections, 20 s each (brief: 2 s).
 */
import type { Attack } from "../attack";
import { flood } from "../flood";
import { type Headers, request } from "../requests";
import type { Target } from "../wire";

type Ask = (target: Target, index: number) => Buffer;

const same =
  (path: string, headers: Headers = {}): Ask =>
  (target) =>
    request(target, "GET", path, headers);

const asks: Readonly<Record<string, Ask>> = {
  openapi: same("/openapi.json"),
  status: same("/status"),
  feed: same("/status/feed.atom"),
  home: same("/"),
  pricing: same("/pricing", { "accept-encoding": "gzip" }),
  docs: same("/docs/api"),
  // None of these is in the server's memory: each is rendered.
  "other-addresses": (target, index) => request(target, "GET", `/pricing?n=${index}`, {}),
  "no-pages": (target, index) => request(target, "GET", `/docs/none-${index}`, {}),
  "page-parts": same("/pricing", { rsc: "1" }),
  "with-cookie": same("/status", { cookie: "a=b" }),
};

export const publicPages: readonly Attack[] = Object.entries(asks).map(([name, bytesOf]) => ({
  name: `flood-${name}`,
  what: `public pages (${name}) on 64 connections without a key or a session`,
  async run({ target, isBrief }, tally) {
    await flood(target, tally, {
      connections: 64,
      milliseconds: isBrief ? 2_000 : 20_000,
      request: (index) => bytesOf(target, index),
      label: name,
    });
  },
}));
