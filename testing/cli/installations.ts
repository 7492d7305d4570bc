/** The installations that the tests' command line works on. Each stays open for the next command. */
import { type OpenInstallation, openInstallation, storedValues } from "@/cli/open";
import type { OpenFor } from "@/cli/run";
import { replaceCatalogue } from "@/lib/catalog/models";
import { withLive } from "@/lib/live-settings/effective";
import { readCatalogue } from "@/lib/model-book/read-models";

const opened = new Map<string, Promise<OpenInstallation>>();

/** Opens what a command needs; its `close` leaves that open. */
export const keptInstallation: OpenFor = async (settings, environment) => {
  const url = settings.DATABASE_URL ?? "";
  const opening = opened.get(url) ?? openInstallation(settings, environment);
  opened.set(url, opening);
  const installation = await opening;
  // The catalogue is the process's, and the last command may have worked on another instance.
  replaceCatalogue(await readCatalogue(installation.pool));
  const live = await storedValues(installation.pool, environment);
  return {
    ...installation,
    settings: withLive(settings, live.value),
    live,
    environment,
    close: async () => {},
  };
};

/** Closes what is open on this database, before it is dropped. */
export async function closeInstallation(databaseUrl: string): Promise<void> {
  const opening = opened.get(databaseUrl);
  opened.delete(databaseUrl);
  await (await opening)?.close();
}
