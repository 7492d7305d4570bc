/**
 * Kills the product again and again while it serves texts or videos, then compares the ledger with
 * the book. Half of the rounds have one server with its own PostgreSQL, which is killed with it in
 * every other round; half have two servers on one PostgreSQL.
 */
import { z } from "zod";
import { pause } from "@/lib/timing/pause";
import { signal } from "@/testing/stage/processes";
import type { StageOptions } from "@/testing/stage/stage";
import {
  faultsOf,
  orderers,
  readRow,
  type Soak,
  waitUntilAllEnded,
  withSoak,
} from "./installation";
import type { Clients } from "./mixed/clients";
import { plans } from "./mixed/orders";
import { type Step, steps, video, willSucceed } from "./mixed/upstream";

type Family = "text" | "video";

const CLIENTS = { text: 24, video: 48 };
/** A step that never comes, as when all orders wait for a lease, does not hold up the run. */
const STEP_MS_MAX = 20_000;

// A key from the terminal must not end the servers before the verdict.
const one = { spawn: { detached: true } };
const installations: readonly (StageOptions & { title: string; killsDatabase: boolean })[] = [
  { title: "one server with its own PostgreSQL", servers: { one }, killsDatabase: true },
  {
    title: "two servers on one database",
    servers: { one, other: one },
    database: "shared",
    killsDatabase: false,
  },
];

/** Resolves up to 8 ms after the step was reached, so that kills also hit what follows it. */
async function reached({ upstream }: Soak, step: Step): Promise<void> {
  await Promise.race([
    new Promise<void>((resolve) => upstream.once(step, resolve)),
    pause(STEP_MS_MAX),
  ]);
  await pause(Math.random() * 8);
}

/** Videos that the upstream made, and the product gave up; and files that are not whole. */
async function videoFaults(soak: Soak, { seen }: Clients): Promise<string[]> {
  const { refs = [] } =
    (await readRow<{ refs: string[] | null }>(
      soak,
      `select array_agg(upstream_ref) as refs from video_task
        where upstream_ref is not null and family = 'video' and status in ('failed', 'expired', 'cancelled')`,
    )) ?? {};
  const lost = (refs ?? []).filter(willSucceed).map((ref) => `${ref} was made, and given up`);
  for (const url of seen.videos) {
    const { pathname, search } = new URL(url);
    // When servers have separate folders, only the one that copied a file has it.
    const sizes = await Promise.all(
      soak.servers.map(async (server) => {
        const answer = await fetch(`${server.url}${pathname}${search}`);
        return (await answer.arrayBuffer()).byteLength;
      }),
    );
    if (!sizes.includes(video.length))
      lost.push(`${url} has ${sizes.join(" and ")} bytes instead of ${video.length}`);
  }
  return lost;
}

const imageList = z.object({
  items: z.array(
    z.object({ id: z.string(), data: z.array(z.object({ url: z.string(), size: z.string() })) }),
  ),
  total: z.int(),
});
const IMAGES_A_PAGE = 500;

async function hasPicture({ servers }: Soak, url: string, size: string): Promise<boolean> {
  const { pathname, search } = new URL(url);
  for (const server of servers) {
    const answer = await fetch(`${server.url}${pathname}${search}`);
    const head = Buffer.from(await answer.arrayBuffer()).subarray(0, 24);
    if (answer.ok && `${head.readUInt32BE(16)}x${head.readUInt32BE(20)}` === size) return true;
  }
  return false;
}

/**
 * Every image that was charged can be had by the key, also where its client has left: as many as
 * there are charges, and each with its picture.
 */
async function imageFaults(soak: Soak): Promise<string[]> {
  const [server] = soak.servers;
  const lost: string[] = [];
  let [listed, total] = [0, 1];
  for (let page = 1; listed < total; page++) {
    const query = `filter.status=succeeded&page_num=${page}&page_size=${IMAGES_A_PAGE}`;
    const answer = await fetch(`${server?.url}/v1/images/generations?${query}`, {
      headers: { authorization: `Bearer ${soak.apiKey}` },
    });
    const { items, ...all } = imageList.parse(await answer.json());
    if (items.length === 0) break;
    listed += items.length;
    total = all.total;
    for (const { id, data } of items)
      for (const { url, size } of data)
        if (!(await hasPicture(soak, url, size))) lost.push(`the image ${id} has no picture`);
  }
  const { settled = 0, left = 0 } =
    (await readRow<{ settled: number; left: number }>(
      soak,
      `select count(*)::int as settled, count(*) filter (where is_abandoned)::int as left
         from request where family = 'image' and outcome = 'settled'`,
    )) ?? {};
  if (listed !== settled) lost.push(`${settled} images were charged, and ${listed} can be had`);
  console.log(`${listed} images fetched by the key, ${left} of clients that left a call`);
  return lost;
}

function soakInstallation(
  family: Family,
  rounds: number,
  { title, killsDatabase, ...options }: (typeof installations)[number],
): Promise<string[]> {
  return withSoak(options, async (soak) => {
    const { servers, database } = soak;
    const start = orderers(soak, title.split(" ")[0] ?? "", plans[family]);
    const clients = start(CLIENTS[family], { pauseMs: 20 });
    for (let round = 0; round < rounds; round++) {
      if (family === "text") await pause(200 + Math.random() * 500);
      else await reached(soak, steps[round % steps.length] ?? "submit");
      const server = servers[round % servers.length];
      if (killsDatabase && round % 2 === 1) signal(database.pids(), "SIGKILL");
      await server?.kill();
      await server?.start();
      if ((round + 1) % 10 === 0)
        console.log(`${title}: ${round + 1} kills, ${clients.seen.whole} whole answers`);
    }
    await clients.stop();
    if (family === "video") await waitUntilAllEnded(soak);
    const files =
      family === "video"
        ? [...(await videoFaults(soak, clients)), ...(await imageFaults(soak))]
        : [];
    return faultsOf(soak, `${title}: ${rounds} kills`, files);
  });
}

/** Returns the faults of both installations. */
export async function soakKills(family: Family, rounds: number): Promise<string[]> {
  const faults: string[] = [];
  for (const [at, installation] of installations.entries())
    faults.push(...(await soakInstallation(family, Math.ceil((rounds - at) / 2), installation)));
  return faults;
}
