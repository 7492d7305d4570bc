/**
 * Calls every address once, so that code loaded on first use is not counted as memory that an
 * attack left behind.
 */
import { addressOf, routes } from "@/e2e/route-roles";
import type { Installation } from "./installation";
import { type Headers, request } from "./requests";
import { exchange } from "./wire";

/** These would end the session. */
const leftOut = /sign-out|signout/;

export async function askEverythingOnce({ means, victim, server }: Installation): Promise<void> {
  if (server === null) return;
  const { target } = victim;
  const { origin, operatorSession } = means;
  for (const route of routes) {
    const cookie = /operator/.test(route.kind) ? operatorSession : victim.session;
    const headers: Headers = {
      origin,
      connection: "close",
      cookie: cookie ?? "",
      authorization: `Bearer ${victim.apiKey}`,
    };
    const path = addressOf(route);
    if (leftOut.test(path)) continue;
    const { method } = route;
    await exchange(target, [
      request(target, method, path, headers, method === "GET" ? undefined : {}),
    ]);
  }
}
