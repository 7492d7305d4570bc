import { readFileSync, statSync } from "node:fs";
import { UsageError } from "./command";

const BYTES_MAX = 64 * 1024;

/** The JSON in a file of at most 64 KiB. Throws `UsageError`. */
export function readJsonFile(path: string): unknown {
  try {
    if (statSync(path).size > BYTES_MAX)
      throw new UsageError(`${path} has more than ${BYTES_MAX} bytes`);
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path} is no JSON file: ${error instanceof Error ? error.message : ""}`);
  }
}
