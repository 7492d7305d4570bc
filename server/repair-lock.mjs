/**
 * Adds to package-lock.json the platform packages that npm left out because the registry did not
 * offer them. Without them `npm ci` says that the lock is out of sync, and users of other systems
 * miss their binaries. Run it after every change of a dependency.
 */
import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(file, "utf8"));

function isLocked(parent, name) {
  for (let base = parent; ; base = base.slice(0, Math.max(0, base.lastIndexOf("/node_modules/")))) {
    if (lock.packages[`${base ? `${base}/` : ""}node_modules/${name}`]) return true;
    if (!base) return false;
  }
}

/**
 * The parts of a platform package's name that npm calls `os` and `cpu`, such as in
 * `core-win32-x64-msvc`.
 */
function platformOf(name) {
  const words = name.split(/[-/]/);
  const one = (known) => words.filter((word) => known.includes(word)).slice(0, 1);
  const os = one([
    "android",
    "darwin",
    "freebsd",
    "linux",
    "netbsd",
    "openbsd",
    "openharmony",
    "sunos",
    "win32",
  ]);
  const cpu =
    words.includes("gnueabihf") || words.includes("musleabihf")
      ? ["arm"]
      : one(["arm", "arm64", "ia32", "ppc64", "riscv64", "s390x", "wasm32", "x64"]);
  return { ...(cpu.length && { cpu }), ...(os.length && { os }) };
}

let added = 0;
for (const [parent, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(parent, name)) continue;
    lock.packages[`node_modules/${name}`] = {
      version,
      optional: true,
      ...(entry.dev && { dev: true }),
      ...platformOf(name),
    };
    added++;
  }
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([one], [other]) => (one < other ? -1 : 1)),
);
if (added > 0) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} platform packages added to package-lock.json`);
