/**
 * `npm run prove:image`: builds the image twice with Buildah, and runs it with Podman from an empty
 * database to a charged request, as an ordinary user without capabilities, on a root file system
 * that cannot be written. Exit code 1 when a statement does not hold. Linux, as root.
 *   --base debian   make the base image from Debian's packages, where no registry can be reached
 *   --image NAME    prove this image instead of building one
 *   --runtime NAME  the container runtime of Podman; runc by default
 */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startEmbeddedPostgres } from "@/lib/db/embedded";
import { freePort } from "../../testing/stage/listen";
import { Checks } from "./checks";
import { buildImage, Engine, ended, outputOf } from "./engine";
import { proveServing } from "./prove-serving";

const root = fileURLToPath(new URL("../..", import.meta.url));
const BASE_MS = 15 * 60_000;
const ORDINARY = 1000;
const MEBIBYTE = 1024 * 1024;

const { values } = parseArgs({
  options: {
    base: { type: "string", default: "registry" },
    image: { type: "string" },
    runtime: { type: "string", default: "runc" },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
const checks = new Checks(say);

async function requireTools(): Promise<void> {
  const wanted = [
    "podman",
    values.runtime,
    ...(values.image === undefined ? ["buildah"] : []),
    ...(values.base === "debian" ? ["debootstrap"] : []),
  ];
  for (const tool of wanted)
    if ((await ended("sh", ["-c", 'command -v "$0"', tool])).code !== 0)
      throw new Error(`${tool} is missing: apt-get install buildah podman runc debootstrap`);
}

/** The commit of the working copy, with a mark when it was changed since. */
async function commitHere(): Promise<string> {
  const git = (...words: string[]) => outputOf("git", ["-C", root, ...words]);
  const isClean = (await git("status", "--porcelain")) === "";
  return `${await git("rev-parse", "HEAD")}${isClean ? "" : "-changed"}`;
}

async function makeImage(): Promise<string> {
  if (values.image !== undefined) return values.image;
  const image = "localhost/relay:proof";
  if (values.base === "debian") {
    const [, base = ""] =
      /^ARG BASE=(\S+)$/m.exec(readFileSync(join(root, "Dockerfile"), "utf8")) ?? [];
    say(`Making ${base} from Debian's packages …`);
    const script = join(root, "tools/image/debian-base.sh");
    await outputOf("bash", [script, `docker.io/library/${base}`], BASE_MS);
  }
  const commit = await commitHere();
  say(`Building ${image} of ${commit} …`);
  const startedAt = Date.now();
  const epoch = await outputOf("git", ["-C", root, "log", "-1", "--format=%ct"]);
  const first = await buildImage(root, image, { commit, epoch });
  const bytes = Number(
    await outputOf("podman", ["image", "inspect", "--format", "{{.Size}}", image]),
  );
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  checks.expect("the image is built", true, `${seconds} s, ${Math.round(bytes / MEBIBYTE)} MiB`);
  say("Building it anew …");
  const second = await buildImage(root, image, { commit, epoch });
  checks.expect("built again, its layers and settings are the same bytes", first === second);
  return image;
}

/** A folder as Kubernetes mounts it: root's, and writable for the pod's group. */
function makeVolume(folder: string): string {
  const volume = join(folder, "volume");
  mkdirSync(volume);
  chownSync(volume, 0, ORDINARY);
  chmodSync(volume, 0o2775);
  return volume;
}

async function main(): Promise<boolean> {
  await requireTools();
  const engine = new Engine(await makeImage(), values.runtime);
  const folder = mkdtempSync(join(tmpdir(), "relay-image-"));
  const volume = makeVolume(folder);
  const postgres = await startEmbeddedPostgres(join(folder, "database"));
  const name = `relay-proof-${process.pid}`;
  try {
    const port = await freePort();
    await proveServing({ engine, checks, name, volume, port, postgres });
  } finally {
    await engine.remove(name);
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const { line, isWhole } = checks.end();
  say(line);
  return isWhole;
}

process.exit((await main()) ? 0 : 1);
