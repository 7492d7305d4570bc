/** Wires the delivery of callbacks for one process. */
import type pg from "pg";
import type { Changes } from "../db/changes";
import { callbackAgent, type Networks } from "./callback-agent";
import { type DelivererDeps, startDeliverer } from "./deliverer";
import type { Sender } from "./keep-sending";

export interface OpenCallbacks {
  /** Starts delivering. */
  start(): void;
  close(): Promise<void>;
}

export function openCallbacks(
  deps: {
    readonly pool: pg.Pool;
    readonly changes: Changes;
    readonly networks: Networks;
  } & Pick<DelivererDeps, "secrets" | "taskBody" | "log">,
): OpenCallbacks {
  const dispatcher = callbackAgent(deps.networks);
  let deliverer: Sender | null = null;
  const unsubscribe = deps.changes.subscribe("callback_delivery", (id) => {
    if (id !== null) deliverer?.wake();
  });
  return {
    start() {
      deliverer ??= startDeliverer({ ...deps, dispatcher });
    },
    async close() {
      unsubscribe();
      await deliverer?.close();
      await dispatcher.close();
    },
  };
}
