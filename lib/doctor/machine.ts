/** What this machine gives the product: settings, its data folder, room on disk. */
import { randomUUID } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import { readRefusals } from "../db/lineage";
import { LINEAGE_FOLDER } from "../ledger/ledger";
import { openDataFolder } from "../process/data-folder";
import { type Settings, settingsSchema } from "../settings/settings";
import { bad, type Found, found, good, note } from "./check";

const GIGABYTE = 1e9;
const ROOM_LEAST = 2 * GIGABYTE;

const isLocal = (host: string) =>
  host === "localhost" || (isIP(host) > 0 && host.startsWith("127."));

function checkSettings(
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>,
): Found[] {
  const known = Object.keys(settingsSchema.shape);
  const set = known.filter((name) => (environment[name] ?? "") !== "");
  const notes: Found[] = [good("settings", `set: ${set.join(", ") || "none"}`)];
  const { protocol, hostname } = new URL(settings.publicUrl);
  if (protocol === "http:" && !isLocal(hostname))
    notes.push(note("PUBLIC_URL", "is http: cookies and links are not protected on their way"));
  if (settings.DATABASE_URL !== undefined && settings.RELAY_SECRET === undefined)
    notes.push(
      note("RELAY_SECRET", "is not set: each machine uses the one of its own data folder"),
    );
  if (settings.DATABASE_URL === undefined)
    notes.push(
      note("DATABASE_URL", "is not set: the embedded PostgreSQL is for first runs and tests"),
    );
  return notes;
}

async function checkDataFolder(settings: Settings): Promise<Found[]> {
  const { path } = openDataFolder(settings.RELAY_DATA_DIR);
  const file = join(path, `doctor-${randomUUID()}`);
  writeFileSync(file, "", { flush: true, mode: 0o600 });
  rmSync(file);
  const { bavail, bsize } = await statfs(path);
  const free = bavail * bsize;
  const room = `${(free / GIGABYTE).toFixed(1)} GB are free in ${path}`;
  const refusals = readRefusals(join(path, "spool", LINEAGE_FOLDER));
  return [
    good("data folder", "can be written"),
    free < ROOM_LEAST ? bad("disk", `only ${room}`) : good("disk", room),
    ...refusals.map(({ node, place, reason }) =>
      bad(
        "primary",
        `${node} refuses the server at ${place}: ${reason}; see \`relay database accept\``,
      ),
    ),
  ];
}

export async function checkMachine(
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Found[]> {
  return [
    ...checkSettings(settings, environment),
    ...(await found("data folder", () => checkDataFolder(settings))),
  ];
}
