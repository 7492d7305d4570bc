/**
 * The spool: ends of operations that could not reach the database, kept on disk until they can. The
 * processes of a machine share one folder.
 */
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
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

const suffix = ".spool";
const markSuffix = ".dead";
/** Of a release with points leases: what its processes had open in their memory, and uncharged. */
const earlierSuffix = ".holds";
const OWN_MARK_MS = 3_600_000;
const MARK_MS = 86_400_000;
const lineOf = (record: string): string =>
  `${crc32(record).toString(16).padStart(8, "0")} ${record}\n`;

export const nodeOfFile = (name: string): string => name.slice(0, name.indexOf("."));

/** A file that was set aside for an operator. */
export interface AsideFile {
  readonly name: string;
  readonly why: "unknown" | "damaged";
  readonly bytes: number;
  readonly at: Date;
}

export interface Spool {
  /**
   * Writes the records as one new file and returns when it is on disk; throws when it is not. False:
   * another process took this one for dead before that, so it may have ended the operations without
   * these records.
   */
  append(records: readonly string[]): boolean;
  /** Written before the files of a dead process are read for the last time. */
  markDead(nodeId: string): void;
  /**
   * Removes files that are no longer needed: marks, and those of `earlierSuffix`. Called while this
   * process's lease is valid: its own mark is needed as long as requests run that had begun before.
   */
  removeMarks(): void;
  /** The files of the wanted nodes, oldest first per node. */
  files(isWanted: (nodeId: string) => boolean): string[];
  /** The complete records of a file (none when it is gone), and whether it had damaged lines. */
  read(file: string): { records: string[]; isDamaged: boolean };
  remove(file: string): void;
  /**
   * Sets a file aside for an operator: the database knows none of its operations, or not all of it
   * could be read.
   */
  setAside(file: string, why: AsideFile["why"]): void;
  /** The files that were set aside and are still there. */
  aside(): AsideFile[];
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
 * Opens the spool of one process in `folder`; `nodeId` names its files. A file appears complete or
 * not at all and is never appended to, so another process may replay and remove it at any time,
 * even while the process that wrote it is only suspended.
 */
export function openSpool(folder: string, nodeId: string): Spool {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let written = 0;
  const path = (file: string) => join(folder, file);
  return {
    append(records) {
      const name = `${nodeId}.${Date.now().toString().padStart(14, "0")}.${String(written++).padStart(8, "0")}`;
      writeFileSync(path(`${name}.part`), records.map(lineOf).join(""), {
        mode: 0o600,
        flag: "wx",
      });
      syncTo(path(`${name}.part`));
      renameSync(path(`${name}.part`), path(name + suffix));
      syncTo(folder);
      return !existsSync(path(nodeId + markSuffix));
    },
    markDead: (dead) => writeFileSync(path(dead + markSuffix), "", { mode: 0o600 }),
    removeMarks() {
      for (const name of readdirSync(folder)) {
        if (!name.endsWith(markSuffix) && !name.endsWith(earlierSuffix)) continue;
        const keptMs = name === nodeId + markSuffix ? OWN_MARK_MS : MARK_MS;
        const at = statSync(path(name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
        if (Date.now() - at > keptMs) rmSync(path(name), { force: true });
      }
    },
    files: (isWanted) =>
      readdirSync(folder)
        .filter((name) => name.endsWith(suffix) && isWanted(nodeOfFile(name)))
        .sort(),
    read(file) {
      if (!existsSync(path(file))) return { records: [], isDamaged: false };
      const lines = readFileSync(path(file), "utf8").split("\n");
      const isCutShort = lines.pop() !== "";
      const whole = lines.filter((line) => lineOf(line.slice(9)) === `${line}\n`);
      return {
        records: whole.map((line) => line.slice(9)),
        isDamaged: isCutShort || whole.length < lines.length,
      };
    },
    remove: (file) => rmSync(path(file), { force: true }),
    setAside: (file, why) =>
      existsSync(path(file)) && renameSync(path(file), path(`${file}.${why}`)),
    aside: () =>
      readdirSync(folder).flatMap((name) => {
        const why = /\.spool\.(unknown|damaged)$/.exec(name)?.[1];
        if (why !== "unknown" && why !== "damaged") return [];
        const { size, mtime } = statSync(path(name));
        return [{ name, why, bytes: size, at: mtime }];
      }),
  };
}

/**
 * The id of the spool folder, created at the first call. Processes that share the folder share the
 * id.
 */
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
