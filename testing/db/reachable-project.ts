/** A copy of the project, with Node.js and a data folder, that an ordinary user can run. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  type Dirent,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { removeFolder } from "../stage/remove-folder";

const root = join(import.meta.dirname, "../..");
const OTHERS_READ = 0o004;
const OTHERS_EXECUTE = 0o001;

export interface ReachableProject {
  readonly folder: string;
  readonly node: string;
  remove(): void;
}

const mayOthers = (path: string, mode: number) => (statSync(path).mode & mode) === mode;

/** Whether any user can enter all folders of `path`. */
function isReachable(path: string): boolean {
  const folder = dirname(path);
  return mayOthers(folder, OTHERS_EXECUTE) && (folder === dirname(folder) || isReachable(folder));
}

/** A hard link when others may read the file and it is on the same file system, else a copy. */
function linkOrCopy(from: string, to: string): void {
  const isExecutable = (statSync(from).mode & 0o100) !== 0;
  const modeWanted = isExecutable ? OTHERS_READ | OTHERS_EXECUTE : OTHERS_READ;
  if (mayOthers(from, modeWanted)) {
    try {
      linkSync(from, to);
      return;
    } catch {
      // The file system differs or has no hard links.
    }
  }
  copyFileSync(from, to);
  chmodSync(to, isExecutable ? 0o755 : 0o644);
}

const PACKAGES = "node_modules";
const left = new Set([".git", ".data", "test-results"]);

function linkFolder(from: string, to: string, isWanted: (entry: Dirent) => boolean): void {
  mkdirSync(to, { recursive: true });
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (!isWanted(entry)) continue;
    if (entry.isDirectory()) linkFolder(source, target, () => true);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isFile()) linkOrCopy(source, target);
  }
}

/**
 * A copy of the built project in a temporary folder that everyone can read, made of hard links
 * where possible: other users may not be able to enter the folder of the clone. The clone's own
 * modes stay unchanged.
 */
export function makeReachableProject(): ReachableProject {
  const parent = mkdtempSync(join(tmpdir(), "relay-reachable-"));
  chmodSync(parent, 0o755);
  const folder = join(parent, "project");
  // Tens of thousands of files, which are linked only where others cannot enter their folder.
  const packages = join(root, PACKAGES);
  const areReachable = isReachable(join(packages, "of the project"));
  linkFolder(root, folder, ({ name }) => !left.has(name) && !(areReachable && name === PACKAGES));
  if (areReachable) symlinkSync(packages, join(folder, PACKAGES));
  const node = join(parent, "node");
  const isNodeReachable = isReachable(process.execPath);
  if (!isNodeReachable) linkOrCopy(process.execPath, node);
  return {
    folder,
    node: isNodeReachable ? process.execPath : node,
    remove: () => removeFolder(parent),
  };
}

/**
 * Gives `folder` to an ordinary user who can enter its parent, and returns that user. Only root can
 * do this.
 */
export function giveToOrdinaryUser(folder: string): { uid: number; gid: number } {
  const number = (flag: string) =>
    Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  const identity = { uid: number("-u"), gid: number("-g") };
  chownSync(folder, identity.uid, identity.gid);
  chmodSync(dirname(folder), 0o711);
  return identity;
}
