/**
 * The holds that are open in the memory of a process, in files beside the spool. They are written
 * without a sync: the operating system keeps them when the process is killed, so another process can
 * write each of them down as released. A machine that loses its memory loses them too; then their
 * points return with the lease.
 */
import {
  appendFileSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { lineOf, nodeOfFile } from "./spool";

const suffix = ".holds";
/** A file this large is not continued. */
const FILE_BYTES_MAX = 1024 * 1024;
/** A file this large is emptied as soon as all its holds have ended. */
const EMPTIED_BYTES_MIN = 64 * 1024;

/** A file with the holds of some moments. It is needed until the last of them ended. */
export interface LogFile {
  readonly path: string;
  readonly descriptor: number;
  bytes: number;
  open: number;
}

/** The log of one process. `nodeId` names its files. */
export class HoldLog {
  #file: LogFile | null = null;
  #files = 0;

  constructor(
    readonly folder: string,
    readonly nodeId: string,
  ) {}

  /** Writes the records. Throws when it cannot; then none of them counts. */
  append(records: readonly string[]): LogFile {
    const file = this.#file ?? this.#open();
    const text = records.map(lineOf).join("");
    try {
      appendFileSync(file.descriptor, text);
    } catch (error) {
      // It may end in a part of a line.
      this.#leave(file);
      throw error;
    }
    file.bytes += text.length;
    file.open += records.length;
    if (file.bytes >= FILE_BYTES_MAX) this.#leave(file);
    return file;
  }

  /** One hold of the file has ended, and that is durable. */
  ended(file: LogFile): void {
    file.open--;
    if (file.open > 0) return;
    if (file !== this.#file) this.#remove(file);
    else if (file.bytes >= EMPTIED_BYTES_MIN) {
      ftruncateSync(file.descriptor, 0);
      file.bytes = 0;
    }
  }

  /** Whoever took this process for dead has removed its file: it begins another. */
  check(): void {
    const file = this.#file;
    if (!file || existsSync(file.path)) return;
    this.#file = null;
    if (file.open === 0) closeSync(file.descriptor);
  }

  /** `isAllEnded`: nothing in it is needed. */
  close(isAllEnded: boolean): void {
    const file = this.#file;
    this.#file = null;
    if (!file) return;
    if (isAllEnded) this.#remove(file);
    else closeSync(file.descriptor);
  }

  #open(): LogFile {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, `${this.nodeId}.${String(this.#files++).padStart(8, "0")}`);
    const descriptor = openSync(path + suffix, "ax", 0o600);
    this.#file = { path: path + suffix, descriptor, bytes: 0, open: 0 };
    return this.#file;
  }

  #leave(file: LogFile): void {
    if (this.#file === file) this.#file = null;
    if (file.open === 0) this.#remove(file);
  }

  #remove(file: LogFile): void {
    closeSync(file.descriptor);
    rmSync(file.path, { force: true });
  }
}

/** The files of the wanted nodes. */
export const holdLogs = (folder: string, isWanted: (nodeId: string) => boolean): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(suffix) && isWanted(nodeOfFile(name)))
    .sort();

/** The whole records of a file. A line that was cut short is of a hold that nobody was told of. */
export function readHoldLog(folder: string, name: string): string[] {
  const lines = readFileSync(join(folder, name), "utf8").split("\n");
  return lines.filter((line) => lineOf(line.slice(9)) === `${line}\n`).map((line) => line.slice(9));
}

export const removeHoldLog = (folder: string, name: string): void =>
  rmSync(join(folder, name), { force: true });
