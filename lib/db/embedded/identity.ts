import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";

/** The user that the server runs as; undefined for the user of this process. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

function accountNamed(name: string): Identity | undefined {
  try {
    const number = (flag: string) =>
      Number(
        execFileSync("id", [flag, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
      );
    return { uid: number("-u"), gid: number("-g") };
  } catch {
    return undefined;
  }
}

/**
 * PostgreSQL refuses to run as root. So root runs it as the owner of the files, else as `postgres`
 * or `nobody`.
 */
export function serverIdentity(clusterFolder: string): Identity | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(clusterFolder, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const found = accountNamed("postgres") ?? accountNamed("nobody");
  if (found === undefined)
    throw new Error(
      "PostgreSQL cannot run as root and no account `postgres` or `nobody` exists. Set DATABASE_URL.",
    );
  return found;
}
