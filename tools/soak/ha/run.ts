/** What the parts of a run share. */
import { pause } from "@/lib/timing/pause";
import type { PairServer } from "@/testing/db/server-pair";
import type { Server } from "@/testing/stage/server";
import type { Soak } from "../installation";
import type { Clients } from "../mixed/clients";
import type { Address } from "./address";

export interface Run {
  readonly soak: Soak;
  readonly address: Address;
  readonly clients: Clients;
}

export interface Pair {
  primary: PairServer;
  standby: PairServer;
}

const GIVEN_UP_MS = 60_000;

async function isReady({ url }: Server): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`, {
    headers: { connection: "close" },
    signal: AbortSignal.timeout(1000),
  }).catch(() => null);
  await answer?.text().catch(() => {});
  return answer?.status === 200;
}

/** The time until all servers are ready and a client has a whole answer again. */
export async function untilServed({ servers }: Soak, { seen }: Clients): Promise<number> {
  const [since, before] = [performance.now(), seen.whole];
  const isOver = () => performance.now() - since > GIVEN_UP_MS;
  const ready = servers.map(async (server) => {
    while (!(await isReady(server)) && !isOver()) await pause(20);
  });
  await Promise.all(ready);
  while (seen.whole === before && !isOver()) await pause(20);
  return performance.now() - since;
}
