/**
 * Programs that contract tests install from their registries, once for each version, below
 * `node_modules`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

const cache = join(import.meta.dirname, "../../node_modules/.cache/relay-clients");
const quietly = ["--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1"];
const INSTALL_MS = 240_000;

/** The folder of what was installed; or, outside CI, why it could not be. */
export type Installed = { readonly folder: string } | { readonly reason: string };

/** The commands of an installation into `folder`. */
type Commands = (folder: string) => readonly (readonly [program: string, ...words: string[]])[];

function failureOf([program, ...words]: readonly [string, ...string[]]): string | null {
  const { status, error, stderr } = spawnSync(program, words, {
    encoding: "utf8",
    timeout: INSTALL_MS,
  });
  if (status === 0) return null;
  const said = (stderr ?? "").trim().split("\n").slice(-3).join(" ");
  return `${program} ${words.join(" ")}: ${error?.message ?? said}`;
}

/** Throws in CI when it cannot be installed: there its tests must not be skipped. */
export function installed(name: string, commands: Commands): Installed {
  const folder = join(cache, name);
  if (existsSync(folder)) return { folder };
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, "draft-"));
  for (const command of commands(draft)) {
    const reason = failureOf(command);
    if (reason === null) continue;
    rmSync(draft, { recursive: true, force: true });
    if (process.env.CI) throw new Error(reason);
    return { reason };
  }
  // Another test may have been faster.
  if (!existsSync(folder)) renameSync(draft, folder);
  return { folder };
}

export const npmInstall = (folder: string, packages: readonly string[]) =>
  ["npm", "install", "--prefix", folder, ...quietly, ...packages] as const;

/**
 * A package of npm with its programs in `node_modules/.bin`. `script`: its own file that completes
 * the installation.
 */
export const fromNpm = (name: string, version: string, script?: string): Installed =>
  installed(`${name.replaceAll(/\W+/g, " ").trim().replaceAll(" ", "-")}-${version}`, (folder) => [
    npmInstall(folder, [`${name}@${version}`]),
    ...(script === undefined
      ? []
      : [["node", join(folder, "node_modules", name, script)] as const]),
  ]);
