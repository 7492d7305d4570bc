import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Both `cli` and the folder of its bundle lie one folder below it. */
export const projectFolder = join(dirname(fileURLToPath(import.meta.url)), "..");
