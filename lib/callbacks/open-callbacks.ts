/** Wires the delivery of callbacks for one process. */
import type pg from "pg";
import { Agent } from "undici";
import { upstreamConnector } from "../net/connect-upstream";
import { createGuardedAgent } from "../net/guarded-agent";
import { type Deliverer, type DelivererDeps, startDeliverer } from "./deliverer";

export interface OpenCallbacks {
  /** Starts delivering. */
  start(): void;
  close(): Promise<void>;
}

/**
 * `networks`: `public` connects to global addresses only, checked at each connection; `any` also to
 * the operator's own networks.
 */
export function openCallbacks(
  deps: { readonly pool: pg.Pool; readonly networks: "public" | "any" } & Pick<
    DelivererDeps,
    "secrets" | "taskBody" | "log"
  >,
): OpenCallbacks {
  const dispatcher =
    deps.networks === "any" ? new Agent({ connect: upstreamConnector({}) }) : createGuardedAgent();
  let deliverer: Deliverer | null = null;
  return {
    start() {
      deliverer ??= startDeliverer({ ...deps, dispatcher });
    },
    async close() {
      await deliverer?.close();
      await dispatcher.close();
    },
  };
}
