/**
 * `npm run licences`: lists the licence of every installed package that the product needs at run
 * time, and counts them.
 */
import { existsSync, readFileSync } from "node:fs";
import { inProject } from "./prepare/project.mjs";

const { packages } = JSON.parse(readFileSync(inProject("package-lock.json"), "utf8"));
const counts = new Map();
for (const [path, entry] of Object.entries(packages)) {
  if (!path.startsWith("node_modules/") || entry.dev || entry.link) continue;
  const file = inProject(path, "package.json");
  if (!existsSync(file)) continue;
  const { name, version, license } = JSON.parse(readFileSync(file, "utf8"));
  const said =
    typeof license === "string" ? license : (license?.type ?? entry.license ?? "unknown");
  counts.set(said, (counts.get(said) ?? 0) + 1);
  process.stdout.write(`${said}\t${name}@${version}\n`);
}
for (const [said, count] of [...counts].sort((one, other) => other[1] - one[1]))
  process.stdout.write(`# ${count}\t${said}\n`);
