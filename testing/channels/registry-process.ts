/**
 * A process with a channel registry, as a server has it. It reports when a credential is not the
 * expected one.
 */

import { createChannelRegistry } from "@/lib/channels/channel-registry";
import { openSecrets } from "@/lib/crypto/secrets";
import { openChanges } from "@/lib/db/changes";
import { openPool } from "@/lib/db/pool";
import { readSettings } from "@/lib/settings/settings";

const settings = readSettings(process.env);
const expected = Number(process.argv[2]);
const pool = openPool(settings.DATABASE_URL as string, 1);
const changes = await openChanges(settings.DATABASE_URL as string);
const say = (line: string) => process.stdout.write(`${line}\n`);
const registry = await createChannelRegistry({
  pool,
  changes,
  secrets: openSecrets(settings),
  onProblem: (message) => say(`fault ${message}`),
});

let checks = 0;
const timer = setInterval(() => {
  const all = registry.all();
  const wrong = all.filter(({ apiKey, name }) => apiKey !== `key-of-${name}`);
  if (all.length !== expected || wrong.length > 0)
    say(`fault ${all.length} channels, ${wrong.length} of them wrong`);
  if (++checks === 1) say("ready");
}, 5);
process.once("SIGTERM", async () => {
  clearInterval(timer);
  registry.close();
  await Promise.all([changes.close(), pool.end()]);
  say(`checked ${checks}`);
});
