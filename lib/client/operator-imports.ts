import { importEndpoints } from "../contract/operator-imports";
import { reading } from "./read";

export const importsQuery = reading(["operator", "imports"], importEndpoints.listImports, {});
