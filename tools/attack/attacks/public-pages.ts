/**
 * What everybody may read, by nobody in particular. Bound: 64 connections, 20 s each (brief: 2 s).
 */
import type { Attack } from "../attack";
import { flood } from "../flood";
import { request } from "../requests";

const paths = {
  openapi: "/openapi.json",
  status: "/status",
  feed: "/status/feed.atom",
  home: "/",
};

export const publicPages: readonly Attack[] = Object.entries(paths).map(([name, path]) => ({
  name: `flood-${name}`,
  what: `${path} on 64 connections without a key or a session`,
  async run({ target, isBrief }, tally) {
    const bytes = request(target, "GET", path, {});
    await flood(target, tally, {
      connections: 64,
      milliseconds: isBrief ? 2_000 : 20_000,
      request: () => bytes,
      label: path,
    });
  },
}));
