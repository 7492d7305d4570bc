import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { runChild } from "./child.mjs";
import { noteChild } from "./lock.mjs";
import { fail, hashOf, inProject } from "./project.mjs";

const stampFile = inProject("node_modules", ".relay-lock");
const lockHash = () => hashOf(["package-lock.json"]);

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/**
 * True when npm itself installed exactly what the lock file names; npm writes its own record last.
 */
function matchesRecord(withDevelopment) {
  const wanted = readJson(inProject("package-lock.json"))?.packages;
  const found = readJson(inProject("node_modules", ".package-lock.json"))?.packages;
  if (!wanted || !found) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.startsWith("node_modules/") || entry.optional || entry.devOptional || entry.peer)
      return true;
    return (
      (entry.dev && !withDevelopment) ||
      (found[path] !== undefined && found[path].version === entry.version)
    );
  });
}

const stamp = (withDevelopment) => ({ lock: lockHash(), withDevelopment });

/**
 * Whether the installed packages match the lock file; `withDevelopment` includes those that tests
 * need.
 */
export function isInstalled(withDevelopment) {
  const found = readJson(stampFile);
  if (found) return found.lock === lockHash() && (found.withDevelopment || !withDevelopment);
  if (!existsSync(inProject("node_modules")) || !matchesRecord(withDevelopment)) return false;
  writeFileSync(stampFile, JSON.stringify(stamp(matchesRecord(true))));
  return true;
}

/**
 * Installs by the lock file, and keeps the packages for tests if they were installed. Without its
 * stamp, which is written last, it counts as not done.
 */
export async function install(isForDevelopment) {
  const withDevelopment = isForDevelopment || readJson(stampFile)?.withDevelopment === true;
  process.stderr.write(
    `Installing packages${withDevelopment ? " including those for tests" : ""} (about half a minute) …\n`,
  );
  const npm = process.env.npm_execpath?.endsWith(".js")
    ? [process.execPath, process.env.npm_execpath]
    : ["npm"];
  const args = [
    ...npm.slice(1),
    "ci",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    ...(withDevelopment ? ["--include=dev"] : ["--omit=dev"]),
  ];
  const { code } = await runChild("installing", npm[0], args, {
    onStart: noteChild,
    env: { NODE_ENV: "" },
  });
  if (code !== 0)
    fail(
      `the packages could not be installed (npm ci ended with ${code}). Is the package registry reachable?`,
    );
  writeFileSync(stampFile, JSON.stringify(stamp(withDevelopment)));
}
