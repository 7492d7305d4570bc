import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { assertUsableServer } from "@/lib/db/open";
import { readSettings, type Settings } from "@/lib/settings";

/** The project's folder, the same from source and from `dist`. */
export const projectFolder = join(dirname(fileURLToPath(import.meta.url)), "..");

/**
 * Resolves with the bound port, which differs from `port` only when that is 0. Throws a one-line
 * error when the port is taken.
 */
function assertPortFree(host: string, port: number): Promise<number> {
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

/**
 * Reads `.env` (the environment takes precedence) and checks what can be checked before anything is
 * built or started. Throws a one-line error. Replaces `PORT=0` by a free port, so that every part
 * of the process knows the address.
 */
export async function prepareEnvironment(): Promise<Settings> {
  const file = join(projectFolder, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
  const { HOST, PORT, DATABASE_URL } = readSettings(process.env);
  process.env.PORT = String(await assertPortFree(HOST, PORT));
  if (DATABASE_URL !== undefined) await assertUsableServer(DATABASE_URL);
  return readSettings(process.env);
}
