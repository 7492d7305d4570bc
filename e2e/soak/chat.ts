/**
 * Kills the product repeatedly while it serves chat callers, then compares the ledger with the
 * answers that they received.
 */

import { pause } from "@/lib/pause";
import { startCallers } from "./chat-callers";
import { checkCharges } from "./chat-verdict";
import { auditFaults, type Installation, startServers, waitForNone } from "./installations";
import { startProduct } from "./product";

const CALLERS = 24;

/** Runs `count` rounds of kills. Returns the faults. */
export async function soakChat(installation: Installation, count: number): Promise<string[]> {
  const { title, environments, databaseUrl } = installation;
  const first = environments[0] ?? {};
  const { upstream, products, apiKey } = await startServers(environments);
  const urls = products.map((product) => product.url);
  const callers = startCallers(urls, apiKey, CALLERS);
  for (let round = 0; round < count; round++) {
    await pause(200 + Math.random() * 500);
    const index = round % products.length;
    await products[index]?.kill(installation.killsPostgres && round % 2 === 1);
    products[index] = await startProduct(environments[index] ?? {});
    if ((round + 1) % 10 === 0)
      console.log(
        `${title}: ${round + 1} kills, ${callers.completed.size} answers, ${callers.interrupted()} interrupted`,
      );
  }
  await callers.stop();
  await waitForNone(
    async () =>
      (await checkCharges(databaseUrl, callers.completed, upstream.answers)).openOperations,
  );
  const verdict = await checkCharges(databaseUrl, callers.completed, upstream.answers);
  const faults = [...verdict.faults, ...(await auditFaults(first))];
  if (verdict.openOperations !== 0)
    faults.push(`${verdict.openOperations} operations were left open`);
  for (const product of products) {
    const code = await product.stop();
    if (code !== 0) faults.push(`a server ended with ${code} on SIGTERM`);
  }
  await upstream.close();
  console.log(
    `${title}: ${count} kills, ${verdict.completed} answers, ${verdict.charged} charges, ${faults.length} faults`,
  );
  for (const fault of faults.slice(0, 20)) console.error(fault);
  return faults;
}
