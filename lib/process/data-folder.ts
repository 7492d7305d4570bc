import { chmodSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { errorCode } from "../failures/relay-error";
import { readOrMakeSecret } from "./secret-file";

export interface DataFolder {
  readonly path: string;
  /** Generated once; replaces `RELAY_SECRET` when that is not set. */
  readonly secret: string;
}

/**
 * The folder of everything that the product stores outside its database. Created with mode 0700 if
 * it is missing. Throws a one-line error.
 */
export function openDataFolder(folder: string): DataFolder {
  const path = resolve(folder);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    chmodSync(path, 0o700);
    return { path, secret: readOrMakeSecret(join(path, "secret")) };
  } catch (error) {
    const code = errorCode(error);
    if (code === "EACCES" || code === "EPERM")
      throw new Error(`RELAY_DATA_DIR=${folder} cannot be used: it belongs to another user`);
    throw new Error(`RELAY_DATA_DIR=${folder} cannot be used: ${code ?? error}`);
  }
}
