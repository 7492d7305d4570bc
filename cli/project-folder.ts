import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Both `cli` and the folder of its bundle are one level below the project's folder. */
export const projectFolder = join(dirname(fileURLToPath(import.meta.url)), "..");
