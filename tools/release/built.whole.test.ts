/** What an image is made of comes out as the same bytes, built twice, in two folders, at two times. */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "@/testing/unit/new-folder";

const root = join(import.meta.dirname, "../..");
const folder = newFolder("built");
const BUILD_MS = 20 * 60_000;

const sources = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root })
  .toString()
  .split("\n")
  .filter((file) => file !== "");

// Copied once, so that an edit in between changes nothing.
for (const file of sources) {
  mkdirSync(dirname(join(folder, "sources", file)), { recursive: true });
  cpSync(join(root, file), join(folder, "sources", file));
}

/** A copy of the sources as the image's build has them, built and pruned. Returns its files by their hashes. */
function built(name: string, environment: Record<string, string>): Map<string, string> {
  const place = join(folder, name);
  cpSync(join(folder, "sources"), place, { recursive: true });
  // What tools and other tests keep beside the packages comes and goes.
  const isKept = /\/node_modules\/\.(?!bin$|package-lock)[^/]*$/;
  cpSync(join(root, "node_modules"), join(place, "node_modules"), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (from) => !isKept.test(from),
  });
  const fixed = { RELAY_COMMIT: "c0ffee", SOURCE_DATE_EPOCH: "1800000000" };
  const env = { ...process.env, NODE_ENV: "production", ...fixed, ...environment } as const;
  for (const script of ["server/build.mjs", "server/prepare/prune.mjs"]) {
    const { status, stderr } = spawnSync(process.execPath, [script], { cwd: place, env });
    expect(status, stderr.toString()).toBe(0);
  }
  const hashes = ["dist", ".next"].flatMap((made) =>
    readdirSync(join(place, made), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry): [string, string] => {
        const file = join(entry.parentPath, entry.name);
        // An image is built at one place.
        const text = readFileSync(file).toString("latin1").replaceAll(place, "/app");
        return [relative(place, file), createHash("sha256").update(text).digest("hex")];
      }),
  );
  rmSync(place, { recursive: true, force: true });
  return new Map(hashes);
}

test("server and pages are the same files, built elsewhere and later", {
  timeout: 2 * BUILD_MS,
}, () => {
  const one = built("one", { TZ: "UTC" });
  const two = built("another", { TZ: "Pacific/Chatham", LC_ALL: "C" });
  expect(one.size).toBeGreaterThan(500);
  const differing = [...new Set([...one.keys(), ...two.keys()])].filter(
    (file) => one.get(file) !== two.get(file),
  );
  expect(differing).toEqual([]);
});
