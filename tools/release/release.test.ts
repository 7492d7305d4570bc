import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { appendFileSync, cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { isWhole } from "@/testing/extent/extent";
import { newFolder } from "@/testing/unit/new-folder";
import { faultsOf, makeRelease } from "./make-release";

const root = join(import.meta.dirname, "../..");
const folder = newFolder("release");

const pem = { type: "pkcs8", format: "pem" } as const;
const keys = generateKeyPairSync("ed25519");
const privateKey = keys.privateKey.export(pem).toString();
const publicKey = keys.publicKey.export({ type: "spki", format: "pem" }).toString();

/** A checkout of a commit of its own, with the project's packages. */
function checkout(name: string): string {
  const place = join(folder, name);
  const run = (...words: string[]) =>
    spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...words], {
      cwd: place,
      env: {
        ...process.env,
        GIT_AUTHOR_DATE: "1700000000 +0",
        GIT_COMMITTER_DATE: "1700000000 +0",
      },
    });
  for (const file of ["package.json", "package-lock.json", ".npmrc"])
    cpSync(join(root, file), join(place, file));
  run("init", "-q");
  run("add", "-A");
  run("commit", "-qm", "first");
  return place;
}

/** As another person's machine may be. */
function elsewhere(): void {
  const settings = [
    ...(["tar.umask", "0077"] as const),
    ...(["core.autocrlf", "true"] as const),
    ...(["core.eol", "crlf"] as const),
  ];
  vi.stubEnv("GIT_CONFIG_COUNT", "3");
  for (let n = 0; n < 3; n++) {
    vi.stubEnv(`GIT_CONFIG_KEY_${n}`, settings[2 * n]);
    vi.stubEnv(`GIT_CONFIG_VALUE_${n}`, settings[2 * n + 1]);
  }
  vi.stubEnv("TZ", "Pacific/Chatham");
  vi.stubEnv("LC_ALL", "C");
  const before = process.umask(0o077);
  onTestFinished(() => {
    process.umask(before);
    vi.unstubAllEnvs();
  });
}

test.runIf(isWhole)(
  "two checkouts of a commit give the same bytes, and a changed file or another key is found",
  () => {
    const places = ["one", "two"].map(checkout);
    const made = places.map((place, n) => {
      const out = join(folder, `out-${n}`);
      if (n === 1) elsewhere();
      return { out, ...makeRelease(place, out, privateKey) };
    });
    const [one, two] = made as [(typeof made)[0], (typeof made)[0]];
    expect(one.commit).toBe(two.commit);
    expect(one.files).toHaveLength(4);
    for (const file of one.files)
      expect(readFileSync(join(one.out, file)), file).toEqual(readFileSync(join(two.out, file)));
    expect(faultsOf(one.out, publicKey)).toEqual([]);

    const other = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" });
    expect(faultsOf(one.out, other.toString())).toEqual([
      "SHA256SUMS.sig is not a signature of SHA256SUMS by this key",
    ]);
    const [archive = ""] = one.files;
    appendFileSync(join(one.out, archive), "x");
    expect(faultsOf(one.out, publicKey)).toEqual([`${archive} has another checksum`]);

    writeFileSync(join(places[0] ?? "", "more"), "1");
    expect(() => makeRelease(places[0] ?? "", join(folder, "more"), null)).toThrow("not committed");
    expect(() => makeRelease(places[1] ?? "", two.out, null)).toThrow("is not empty");
  },
);

const lock = z
  .object({
    packages: z.record(
      z.string(),
      z.looseObject({ license: z.string().optional(), hasInstallScript: z.boolean().optional() }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
const packages = Object.entries(lock.packages).filter(([path]) => path !== "");

test("no script of a package runs at install", () => {
  expect(readFileSync(join(root, ".npmrc"), "utf8")).toMatch(/^ignore-scripts=true$/m);
});

/** Licences under which a service may be run and its packages passed on. */
const allowed = new Set(
  "0BSD,AFL-2.1,Apache-2.0,BlueOak-1.0.0,BSD-2-Clause,BSD-3-Clause,CC-BY-4.0,ISC,LGPL-3.0-or-later,MIT,MIT-0,MPL-2.0,SIL OPEN FONT LICENSE,Unlicense".split(
    ",",
  ),
);
/** Their `LICENSE` says what their `package.json` does not; `server/absent` is ours. */
const inTheirFiles: Readonly<Record<string, string>> = {
  "node_modules/png-js": "MIT",
  "node_modules/seq-queue": "MIT",
  "node_modules/@prisma/dev": "MIT",
  "node_modules/@prisma/studio-core": "MIT",
  "server/absent": "MIT",
};

const named = z.looseObject({ license: z.string().optional() });

test("every package that is installed has a licence that allows a service", () => {
  const installed = packages.filter(([path]) => existsSync(join(root, path, "package.json")));
  expect(installed.length).toBeGreaterThan(500);
  for (const [path, { license }] of installed) {
    const own = named.parse(JSON.parse(readFileSync(join(root, path, "package.json"), "utf8")));
    const text = (license ?? own.license ?? inTheirFiles[path] ?? "none").replace(/[()]/g, "");
    for (const each of text.split(/ (?:AND|and|OR) /)) expect(allowed, path).toContain(each);
  }
});

test.runIf(isWhole)("no package that is installed for a service has a known hole", ({ skip }) => {
  const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { cwd: root });
  const report = z
    .object({
      metadata: z.object({ vulnerabilities: z.object({ high: z.number(), critical: z.number() }) }),
    })
    .safeParse(JSON.parse(stdout.toString() || "{}"));
  if (!report.success) return skip("the registry has no list of known holes");
  expect(report.data.metadata.vulnerabilities).toMatchObject({ high: 0, critical: 0 });
});
