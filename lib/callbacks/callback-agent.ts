import { Agent } from "undici";
import { upstreamConnector } from "../net/connect-upstream";
import { createGuardedAgent } from "../net/guarded-agent";

/**
 * `public` connects to global addresses only, checked at each connection; `any` also to the
 * operator's own networks.
 */
export type Networks = "public" | "any";

/** The connections to addresses that customers name. */
export const callbackAgent = (networks: Networks): Agent =>
  networks === "any" ? new Agent({ connect: upstreamConnector({}) }) : createGuardedAgent();
