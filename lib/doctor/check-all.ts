import type { Settings } from "../settings/settings";
import type { Found } from "./check";
import { checkDatabase } from "./database";
import { checkMachine } from "./machine";
import { checkNeighbours } from "./neighbours";

/** Everything that can be checked from here, in words. Never rejects. */
export async function checkAll(
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>,
  projectFolder: string,
): Promise<Found[]> {
  const all = await Promise.all([
    checkMachine(settings, environment),
    checkDatabase(settings, projectFolder),
    checkNeighbours(settings),
  ]);
  return all.flat();
}
