/**
 * Requests every address once, so that code that is loaded on first use is not taken for memory
 * that an attack leaked.
 */
import { addressOf, methodsOf, roles, routeFiles } from "@/e2e/route-roles";
import type { Installation } from "./installation";
import { type Headers, request } from "./requests";
import { exchange } from "./wire";

/** These would end the session. */
const leftOut = /sign-out|signout/;

export async function askEverythingOnce({ means, victim, server }: Installation): Promise<void> {
  if (server === null) return;
  const { target } = victim;
  const { origin, operatorSession } = means;
  for (const file of routeFiles()) {
    const cookie = /operator/.test(roles.get(file) ?? "") ? operatorSession : victim.session;
    const headers: Headers = { origin, connection: "close", cookie: cookie ?? "", authorization: `Bearer ${victim.apiKey}` };
    const path = addressOf(file);
    if (leftOut.test(path)) continue;
    for (const method of methodsOf(file))
      await exchange(target, [request(target, method, path, headers, method === "GET" ? undefined : {})]);
  }
}
