/** Uses nothing but Node: these files run before any package is installed. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const projectFolder = join(dirname(fileURLToPath(import.meta.url)), "../..");
export const inProject = (...parts) => join(projectFolder, ...parts);

/** Exits with a one-line error unless Node is new enough. */
export function requireNodeVersion() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`Node.js 20.19 or newer is needed; this is ${process.versions.node}.`);
}

export function fail(line) {
  process.stderr.write(`relay: ${line}\n`);
  process.exit(1);
}

function* filesBelow(path) {
  for (const entry of readdirSync(inProject(path), { withFileTypes: true }).sort((one, other) =>
    one.name < other.name ? -1 : 1,
  )) {
    const inside = `${path}/${entry.name}`;
    if (entry.isDirectory()) {
      if (inside !== "lib/db/generated") yield* filesBelow(inside);
    } else if (!/\.(test\.tsx?|sql)$/.test(entry.name)) yield inside;
  }
}

/**
 * A hash over the names and contents of the given files and folders, without tests, generated code,
 * and SQL, which is read when a database is opened.
 */
export function hashOf(paths) {
  const hash = createHash("sha256").update(
    `${process.platform} ${process.arch} ${process.versions.modules}`,
  );
  for (const path of paths.filter((one) => existsSync(inProject(one)))) {
    const isFolder = !path.includes(".");
    for (const file of isFolder ? filesBelow(path) : [path])
      hash.update(`\0${file}\0`).update(readFileSync(inProject(file)));
  }
  return hash.digest("hex");
}
