import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { assertUsableServer } from "@/lib/db/open";
import { readSettings, type Settings } from "@/lib/settings/settings";

/** The project's folder, the same from source and from `dist`. */
export const projectFolder = join(dirname(fileURLToPath(import.meta.url)), "..");

/**
 * Resolves with the bound port, which differs from `port` only when that is 0. Throws a one-line
 * error when the port is taken.
 */
export function assertPortFree(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", ({ code }: NodeJS.ErrnoException) => {
      const reason =
        code === "EADDRINUSE"
          ? "another program is using it"
          : code === "EACCES"
            ? "permission denied"
            : `${code}`;
      reject(
        new Error(
          `PORT=${port} cannot be used on ${host}: ${reason}. Stop it, or set PORT to another number.`,
        ),
      );
    });
    probe.listen(port, host, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : port));
    });
  });
}

const settingsFile = join(projectFolder, ".env");
/** The environment without `.env`. Null until that was read. */
let given: Readonly<Record<string, string | undefined>> | null = null;
/** The names that are set because `.env` has them. */
let fromFile: string[] = [];

/** Sets what the file has and the environment has not. */
export function readEnvironment(file = settingsFile): void {
  given ??= { ...process.env };
  const values = existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {};
  fromFile = Object.keys(values).filter((name) => given?.[name] === undefined);
  for (const name of fromFile) process.env[name] = values[name];
}

/** What a running product cannot change: its address, its places, and what it has set itself. */
const fixedNames = [
  "HOST",
  "PORT",
  "RELAY_PROCESSES",
  "RELAY_DATA_DIR",
  "DATABASE_URL",
  "DATABASE_OWNER_URL",
];

/**
 * Reads `.env` again, for workers that start from now on. Throws a one-line error and changes
 * nothing when a setting is wrong.
 */
export function rereadEnvironment(file = settingsFile): void {
  const before = { ...process.env };
  const namesBefore = fromFile;
  for (const name of fromFile) delete process.env[name];
  readEnvironment(file);
  for (const name of fixedNames) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  try {
    process.env.NEXTAUTH_URL = readSettings(process.env).publicUrl;
  } catch (error) {
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, before);
    fromFile = namesBefore;
    throw error;
  }
}

/**
 * Reads `.env` (the environment takes precedence) and checks what can be checked before anything is
 * built or started. Throws a one-line error. Replaces `PORT=0` by a free port, so that every part
 * of the process knows the address.
 */
export async function prepareEnvironment(): Promise<Settings> {
  readEnvironment();
  const { HOST, PORT, DATABASE_URL } = readSettings(process.env);
  process.env.PORT = String(await assertPortFree(HOST, PORT));
  if (DATABASE_URL !== undefined) await assertUsableServer(DATABASE_URL);
  return readSettings(process.env);
}
