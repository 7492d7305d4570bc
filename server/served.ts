/** What the server serves beside the pages, until the relay's own composition stands in its place. */
import type { Endpoint } from "@/lib/http/exchange";

export interface Served {
  /** The endpoint of a method and a path; undefined where the pages answer. */
  find(method: string, path: string): Endpoint | undefined;
  start(): Promise<void>;
  /** Admits nothing more and resolves when all that was admitted is settled. */
  drain(): Promise<void>;
}

const json = { "content-type": "application/json; charset=utf-8" };

export async function composition(): Promise<Served> {
  let isDraining = false;
  const health: Endpoint = async () => ({ status: 200, headers: json, body: '{"status":"ok"}' });
  const readiness: Endpoint = async () =>
    isDraining ? { status: 503, headers: json, body: '{"status":"draining"}' } : { status: 200, headers: json, body: '{"status":"ready"}' };
  return {
    find: (_method, path) => (path === "/healthz" ? health : path === "/readyz" ? readiness : undefined),
    start: async () => {},
    drain: async () => {
      isDraining = true;
    },
  };
}
