/** A process that imports, and is killed while it does. Used by kill.test.ts. */
import { z } from "zod";
import { importInto } from "./import-into";

const given = z.object({
  databaseUrl: z.string(),
  product: z.enum(["new-api", "one-api"]),
  place: z.string(),
});
const { databaseUrl, ...request } = given.parse(JSON.parse(process.argv[2] ?? "{}"));
await importInto(databaseUrl, request);
