/**
 * The installation's secret and, during a rotation, the previous one: what was encrypted or signed
 * under either is accepted.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../failures/relay-error";
import { openDataFolder } from "../process/data-folder";
import { newSecret } from "../process/secret-file";
import type { Settings } from "../settings/settings";

type Accepted = readonly [current: string, ...previous: string[]];

export interface Secrets {
  /** The secret for everything that is encrypted or signed now. */
  readonly current: string;
  readonly accepted: Accepted;
  /** Reads again what may have changed; returns whether it did. */
  refresh(): boolean;
}

/** For how long the files are not read again after a look-up that succeeded. */
const FRESH_MS = 5000;

/** Secrets that never change. */
export function fixedSecrets(...accepted: Accepted): Secrets {
  return { current: accepted[0], accepted, refresh: () => false };
}

const previousFile = (folder: string) => join(folder, "secret.previous");

function readPrevious(folder: string): string | null {
  try {
    return readFileSync(previousFile(folder), "utf8").trim();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

function readFolder(folder: string): Accepted {
  // The previous secret is read first: a rotation writes it first, so the new one is never seen
  // without it.
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
  const now = (): Accepted => {
    if (Date.now() - readAt > FRESH_MS) refresh();
    return accepted;
  };
  return {
    get current() {
      return now()[0];
    },
    get accepted() {
      return now();
    },
    refresh,
  };
}

/**
 * The secrets of `RELAY_SECRET` and `RELAY_SECRET_PREVIOUS`, else of the data folder, where a
 * rotation is noticed without a restart.
 */
export function openSecrets(settings: Settings): Secrets {
  const { RELAY_SECRET: current, RELAY_SECRET_PREVIOUS: previous } = settings;
  if (current === undefined) return folderSecrets(settings.RELAY_DATA_DIR);
  return previous === undefined ? fixedSecrets(current) : fixedSecrets(current, previous);
}

/**
 * The result of `attempt` for the first secret that fits; null when none does, including those
 * added since.
 */
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

/**
 * Writes a new secret to the data folder. The current one becomes the previous one first, so that a
 * crash loses neither.
 */
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

export function removePrevious(folder: string): void {
  rmSync(previousFile(folder), { force: true });
}
