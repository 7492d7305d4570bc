/** The installation's secret, and the one before it while a rotation lasts: what was sealed or signed under either is accepted. */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDataFolder } from "./data-folder";
import { newSecret } from "./secret-file";
import type { Settings } from "./settings";

export interface Secrets {
  /** What is sealed and signed now is sealed and signed under it. */
  readonly current: string;
  /** The current one, then the previous one if there is one. */
  readonly accepted: readonly string[];
  /** Reads anew what may have changed; answers whether it did. */
  refresh(): boolean;
}

/** How long the files of the data folder are not looked at again while all that comes fits. */
const FRESH_MS = 5000;

/** Secrets that stay as they are. */
export function fixedSecrets(...accepted: readonly [string, ...string[]]): Secrets {
  return { current: accepted[0], accepted, refresh: () => false };
}

const previousFile = (folder: string) => join(folder, "secret.previous");

function readPrevious(folder: string): string | null {
  try {
    return readFileSync(previousFile(folder), "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function readFolder(folder: string): readonly string[] {
  // The previous one first: a rotation writes it first, so that no moment shows the new one without it.
  const previous = readPrevious(folder);
  const { secret } = openDataFolder(folder);
  return previous === null || previous === secret ? [secret] : [secret, previous];
}

function folderSecrets(folder: string): Secrets {
  let accepted = readFolder(folder);
  let readAt = Date.now();
  const refresh = (): boolean => {
    const before = accepted.join();
    accepted = readFolder(folder);
    readAt = Date.now();
    return accepted.join() !== before;
  };
  const now = (): readonly string[] => {
    if (Date.now() - readAt > FRESH_MS) refresh();
    return accepted;
  };
  return {
    get current() {
      return now()[0] as string;
    },
    get accepted() {
      return now();
    },
    refresh,
  };
}

/** Of `RELAY_SECRET` and `RELAY_SECRET_PREVIOUS`, else of the data folder, where a rotation is seen without a restart. */
export function openSecrets(settings: Settings): Secrets {
  const { RELAY_SECRET: current, RELAY_SECRET_PREVIOUS: previous } = settings;
  if (current === undefined) return folderSecrets(settings.RELAY_DATA_DIR);
  return previous === undefined ? fixedSecrets(current) : fixedSecrets(current, previous);
}

/** What `attempt` makes of the first secret it fits; null where it fits none, also of those that came since. */
export function withFitting<T>(secrets: Secrets, attempt: (secret: string) => T | null): T | null {
  const first = (): T | null => {
    for (const secret of secrets.accepted) {
      const found = attempt(secret);
      if (found !== null) return found;
    }
    return null;
  };
  return first() ?? (secrets.refresh() ? first() : null);
}

/** Puts a new secret in the data folder; the one there becomes the previous one, first, so that a crash loses neither. */
export function replaceSecret(folder: string): void {
  const file = join(folder, "secret");
  const write = (target: string, secret: string) => {
    const draft = `${target}.${process.pid}`;
    writeFileSync(draft, secret, { mode: 0o600, flush: true });
    renameSync(draft, target);
  };
  write(previousFile(folder), readFileSync(file, "utf8").trim());
  write(file, newSecret());
}

/** Takes the previous secret out of the data folder. */
export function removePrevious(folder: string): void {
  rmSync(previousFile(folder), { force: true });
}
