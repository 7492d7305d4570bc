/** The project's source files, for the checks that read them. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { parseSync } from "@swc/core";

const source = /\.(tsx?|m[jt]s)$/;

export const isTest = (path) => /\.(test|spec)\.tsx?$/.test(path);

/**
 * Each source file below the folders of a project, or each whose path matches `wanted`: its path
 * there, and its text. "." stands for the files that lie in the project itself.
 */
export function* sourcesIn(project, folders, wanted = source) {
  for (const folder of folders) {
    for (const entry of readdirSync(join(project, folder), {
      recursive: folder !== ".",
      withFileTypes: true,
    })) {
      const file = join(entry.parentPath, entry.name);
      const path = relative(project, file).replaceAll(sep, "/");
      if (entry.isFile() && wanted.test(path) && !path.startsWith("lib/db/generated/"))
        yield { path, text: readFileSync(file, "utf8") };
    }
  }
}

/** The same as a list, without tests. */
export const productIn = (project, folders, wanted = source) =>
  [...sourcesIn(project, folders, wanted)].filter(({ path }) => !isTest(path));

/** The members of a span count bytes of the text, from 1. */
export const parseSource = ({ path, text }) =>
  parseSync(text, { syntax: "typescript", tsx: path.endsWith("x"), target: "es2024" });
