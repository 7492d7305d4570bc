/** Ends of operations that could not reach the database, kept on disk until they do. One folder serves all processes of a machine. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

const suffix = ".spool";
const lineOf = (record: string): string => `${crc32(record).toString(16).padStart(8, "0")} ${record}\n`;

export interface Spool {
  /** Writes the records as one new file and returns when it is on disk; throws when it is not. */
  append(records: readonly string[]): void;
  /** Files of the nodes told, oldest first per node. */
  files(isWanted: (nodeId: string) => boolean): string[];
  /** The records of a file; empty when it is gone. Throws when a line is damaged. */
  read(file: string): string[];
  remove(file: string): void;
  /** Takes a file out of the way that the database knows nothing of, for an operator to look at. */
  setAside(file: string): void;
}

function syncTo(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Opens the spool of one process in `folder`; `nodeId` names its files. A file appears whole or not at all and is never
 * added to, so that another process may replay and remove it at any moment, even while its writer is only suspended.
 */
export function openSpool(folder: string, nodeId: string): Spool {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let written = 0;
  const path = (file: string) => join(folder, file);
  return {
    append(records) {
      const name = `${nodeId}.${Date.now().toString().padStart(14, "0")}.${String(written++).padStart(8, "0")}`;
      writeFileSync(path(`${name}.part`), records.map(lineOf).join(""), { mode: 0o600, flag: "wx" });
      syncTo(path(`${name}.part`));
      renameSync(path(`${name}.part`), path(name + suffix));
      syncTo(folder);
    },
    files: (isWanted) =>
      readdirSync(folder)
        .filter((name) => name.endsWith(suffix) && isWanted(name.split(".")[0] as string))
        .sort(),
    read(file) {
      if (!existsSync(path(file))) return [];
      const lines = readFileSync(path(file), "utf8").split("\n").slice(0, -1);
      return lines.map((line) => {
        const record = line.slice(9);
        if (lineOf(record) !== `${line}\n`) throw new Error(`the spool file ${file} is damaged`);
        return record;
      });
    },
    remove: (file) => rmSync(path(file), { force: true }),
    setAside: (file) => existsSync(path(file)) && renameSync(path(file), path(`${file}.unknown`)),
  };
}

/** The id of the store that `folder` is, made at the first call: processes that share the folder share the id. */
export function storeId(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "store-id");
  if (!existsSync(file)) {
    const own = join(folder, `store-id.${process.pid}.part`);
    writeFileSync(own, `store_${crypto.randomUUID()}`, { mode: 0o600 });
    if (!existsSync(file)) renameSync(own, file);
    else rmSync(own);
  }
  return readFileSync(file, "utf8").trim();
}
