/** Folders of the tests of a file, which are removed after them. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../stage/remove-folder";

const folders: string[] = [];

/** An empty folder; `name` says whose it is. */
export function newFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `relay-${name}-`));
  folders.push(folder);
  return folder;
}

/** Called when the tests of a file, and what they opened, have ended. */
export function removeFolders(): void {
  for (const folder of folders.splice(0)) removeFolder(folder);
}
