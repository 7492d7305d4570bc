/** The files of a release, made of a commit alone: who makes them again gets the same bytes. */
import { spawnSync } from "node:child_process";
import { createHash, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { z } from "zod";

const SUMS = "SHA256SUMS";
const SIGNATURE = `${SUMS}.sig`;
const OUTPUT_BYTES_MAX = 512 * 1024 * 1024;

const packageFile = z.object({ name: z.string(), version: z.string() });
const bom = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ name: z.string() }) }),
  components: z.array(z.looseObject({ "bom-ref": z.string() })),
});

const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("hex");

function output(program: string, words: readonly string[], cwd: string): Buffer {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    cwd,
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  if (status !== 0)
    throw new Error(`${program} ${words.join(" ")} failed: ${error?.message ?? stderr.toString()}`);
  return stdout;
}

/** What a person's settings of git would change in an archive. */
const ownSettings = [
  ...["tar.umask=0002", "core.autocrlf=false", "core.eol=lf", "core.attributesFile=/dev/null"],
].flatMap((setting) => ["-c", setting]);

/** What is installed without development packages, as CycloneDX 1.5, without times of making. */
function billOfMaterials(root: string, name: string, commit: string, at: string): string {
  const words = ["sbom", "--sbom-format=cyclonedx", "--package-lock-only", "--omit=dev"];
  const found = bom.parse(JSON.parse(output("npm", words, root).toString()));
  found.metadata.component.name = name;
  const id = sha256(`${name} ${commit}`).replace(
    /^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/,
    "$1-$2-8$3-8$4-$5",
  );
  return `${JSON.stringify({ ...found, serialNumber: `urn:uuid:${id}`, metadata: { ...found.metadata, timestamp: at } }, null, 1)}\n`;
}

export interface Release {
  readonly version: string;
  readonly commit: string;
  /** Their names in the folder. */
  readonly files: readonly string[];
}

/**
 * Writes the archive of the sources, the bill of materials, their checksums, and with `key`, the text
 * of a private key in PEM (Ed25519), the signature of the checksums. Throws when the checkout has
 * changes that are not committed, or the folder is not empty.
 */
export function makeRelease(root: string, folder: string, key: string | null): Release {
  const git = (...words: string[]) => output("git", [...ownSettings, ...words], root);
  if (git("status", "--porcelain").length > 0)
    throw new Error("The checkout has changes that are not committed: a release is of a commit.");
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty. Name a new folder.`);
  const commit = git("rev-parse", "HEAD").toString().trim();
  const at = new Date(Number(git("log", "-1", "--format=%ct").toString()) * 1000).toISOString();
  const { name, version } = packageFile.parse(
    JSON.parse(readFileSync(join(root, "package.json"), "utf8")),
  );
  const label = `${name}-${version}`;
  const tar = git("archive", "--format=tar", `--prefix=${label}/`, commit);
  const files = {
    [`${label}.tar.gz`]: gzipSync(tar, { level: 9 }),
    [`${label}.cdx.json`]: Buffer.from(billOfMaterials(root, name, commit, at)),
  };
  const sums = Object.entries(files)
    .map(([file, bytes]) => `${sha256(bytes)}  ${file}\n`)
    .join("");
  mkdirSync(folder, { recursive: true });
  for (const [file, bytes] of Object.entries(files)) writeFileSync(join(folder, file), bytes);
  writeFileSync(join(folder, SUMS), sums);
  const all = [...Object.keys(files), SUMS];
  if (key === null) return { version, commit, files: all };
  const signature = sign(null, Buffer.from(sums), createPrivateKey(key));
  writeFileSync(join(folder, SIGNATURE), signature.toString("base64"));
  return { version, commit, files: [...all, SIGNATURE] };
}

/** What is wrong with a release's files, in words; empty when they are what the key's owner signed. */
export function faultsOf(folder: string, publicKey: string): string[] {
  const read = (file: string) => readFileSync(join(folder, file));
  const sums = read(SUMS);
  const signature = Buffer.from(read(SIGNATURE).toString(), "base64");
  if (!verify(null, sums, createPublicKey(publicKey), signature))
    return [`${SIGNATURE} is not a signature of ${SUMS} by this key`];
  return sums
    .toString()
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => {
      const [expected = "", file = ""] = line.split("  ");
      if (!existsSync(join(folder, file))) return [`${file} is missing`];
      return sha256(read(file)) === expected ? [] : [`${file} has another checksum`];
    });
}
