import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The version of this release; an empty text where the project's folder does not tell. */
export function readRelease(projectFolder: string): string {
  const file = join(projectFolder, "package.json");
  if (!existsSync(file)) return "";
  const { version = "" }: { version?: string } = JSON.parse(readFileSync(file, "utf8"));
  return version;
}

const numbersOf = (release: string) => release.split(/[.+-]/).slice(0, 3).map(Number);

/** Whether `one` is a later version than `other`; false where one of them is unknown. */
export function isNewer(one: string, other: string): boolean {
  if (one === "" || other === "") return false;
  const [ones, others] = [numbersOf(one), numbersOf(other)];
  for (const [n, number] of ones.entries())
    if (number !== others[n]) return number > (others[n] ?? 0);
  return false;
}
