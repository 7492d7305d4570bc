import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { runChild } from "../prepare/child.mjs";

/** The shell without windows first: it does the same work in less time. */
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];

export function installedChromium() {
  const folders = (process.env.PATH ?? "")
    .split(delimiter)
    .concat("/usr/bin", "/usr/local/bin", "/snap/bin");
  const candidates = [
    process.env.CHROMIUM_PATH,
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
  ];
  candidates.push("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");
  return candidates.find((path) => path && existsSync(path));
}

/**
 * The path of a Chromium. Installs it from Debian first if it is missing and the user may.
 * Undefined when there is none; the reason was printed.
 */
export async function findChromium() {
  const found = installedChromium();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    process.stderr.write("Installing Debian's Chromium for the browser tests …\n");
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await runChild("updating the package list", "apt-get", ["update", "-qq"], {
      env,
      isQuiet: true,
    });
    // Older releases of Debian have no package of the shell.
    for (const name of ["chromium-headless-shell", "chromium"]) {
      const args = ["install", "-y", "-qq", "--no-install-recommends", name];
      await runChild("installing Chromium", "apt-get", args, { env, isQuiet: true });
      if (installedChromium()) return installedChromium();
    }
  }
  process.stderr.write(
    "The browser tests need Chromium: sudo apt-get install -y chromium   (or set CHROMIUM_PATH)\n",
  );
  return undefined;
}
