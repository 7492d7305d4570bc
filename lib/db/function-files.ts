/**
 * The database's functions as files, `lib/<owner>/sql/<function>.sql`: one function each, and below it
 * the triggers that call it.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface FunctionFile {
  readonly name: string;
  /** The statement that creates it, with the comment above. */
  readonly definition: string;
  /** The statements below; empty if there are none. */
  readonly triggers: string;
}

/** The last line of a function. */
const END = "\n$$;\n";

function readFunction(folder: string, file: string): FunctionFile {
  const text = readFileSync(join(folder, file), "utf8");
  const end = text.indexOf(END);
  const length = end === -1 ? text.length : end + END.length;
  return {
    name: file.slice(0, -".sql".length),
    definition: text.slice(0, length),
    triggers: text.slice(length).trim(),
  };
}

/** All of them, ordered by name. */
export function readFunctions(projectFolder: string): FunctionFile[] {
  const lib = join(projectFolder, "lib");
  return readdirSync(lib)
    .map((owner) => join(lib, owner, "sql"))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((file) => file.endsWith(".sql"))
        .map((file) => readFunction(folder, file)),
    )
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Of each function by its name: a checksum of its definition, and one of its triggers. */
export type FunctionSet = Readonly<Record<string, readonly [definition: string, triggers: string]>>;

const checksum = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);

export const setOf = (files: readonly FunctionFile[]): FunctionSet =>
  Object.fromEntries(
    files.map(({ name, definition, triggers }) => [
      name,
      [checksum(definition), checksum(triggers)],
    ]),
  );
