/** Statements of the first migrations, so that the upgrade makes what a new database has. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isOfBaseline } from "../baseline";

function readBaseline(projectFolder: string): string {
  const folder = join(projectFolder, "prisma/migrations");
  return readdirSync(folder)
    .filter(isOfBaseline)
    .sort()
    .map((name) => readFileSync(join(folder, name, "migration.sql"), "utf8"))
    .join("\n");
}

/** Those that begin with one of `heads`, in their order. */
export function statementsOf(projectFolder: string, ...heads: string[]): string[] {
  const statements = readBaseline(projectFolder).match(/^[a-z].*?;$/gms) ?? [];
  const found = statements.filter((text) => heads.some((head) => text.startsWith(head)));
  if (found.length === 0) throw new Error(`no migration has ${heads.join(" or ")}`);
  return found;
}
