import { readFileSync } from "node:fs";

/** What a program of tests reported in a JSON file; undefined if it wrote none, or half of one. */
export function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
