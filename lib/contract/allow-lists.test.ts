import { readdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { createTestDatabase } from "@/testing/db/test-database";

const folder = import.meta.dirname;
/**
 * The schemas of the public API. Their bodies may contain fields that other services' client
 * libraries send; they have tests of their own.
 */
const ofApi = /^(chat|image|video|video-task|media-fields|own-account|model-list|endpoints?)\.ts$/;
const ofPages = /Request$/;
const answers = /Response$/;

async function schemasNamed(pattern: RegExp): Promise<[name: string, schema: z.ZodType][]> {
  const files = readdirSync(folder).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !ofApi.test(name),
  );
  const found = await Promise.all(
    files.map(async (file) => {
      const module: Record<string, unknown> = await import(join(folder, file));
      return Object.entries(module).filter(
        (pair): pair is [string, z.ZodType] =>
          pattern.test(pair[0]) && pair[1] instanceof z.ZodType,
      );
    }),
  );
  return found.flat();
}

/** Every column name, in snake case and camel case. */
let columns: string[];
let pool: pg.Pool;
beforeAll(async () => {
  pool = new pg.Pool({ connectionString: await createTestDatabase() });
  const { rows } = await pool.query<{ name: string }>(
    "select distinct column_name as name from information_schema.columns where table_schema = 'public'",
  );
  const camel = (name: string) =>
    name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  columns = [...new Set(rows.flatMap(({ name }) => [name, camel(name)]))];
});
afterAll(() => pool.end());

type Json = {
  properties?: Record<string, Json>;
  additionalProperties?: unknown;
  items?: Json;
  anyOf?: Json[];
  type?: string;
};
const jsonOf = (schema: z.ZodType, io: "input" | "output") =>
  z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Json;

describe("request bodies of the pages' API", () => {
  test("accept their own fields and refuse every other column of every table", async () => {
    const schemas = (await schemasNamed(ofPages)).filter(
      ([, schema]) => jsonOf(schema, "input").type === "object",
    );
    expect(schemas.length).toBeGreaterThan(12);
    expect(columns.length).toBeGreaterThan(150);
    for (const [name, schema] of schemas) {
      const json = jsonOf(schema, "input");
      const own = new Set(Object.keys(json.properties ?? {}));
      const strange = columns.filter((column) => !own.has(column));
      const { error } = schema.safeParse(
        Object.fromEntries(strange.map((column) => [column, true])),
      );
      const refused =
        error?.issues.flatMap((issue) => (issue.code === "unrecognized_keys" ? issue.keys : [])) ??
        [];
      expect(refused.sort(), name).toEqual([...strange].sort());
    }
  });

  test("have no field that could set a role, a balance or another account", async () => {
    const fields = (await schemasNamed(ofPages)).flatMap(([name, schema]) =>
      Object.keys(jsonOf(schema, "input").properties ?? {}).map((field) => `${name}.${field}`),
    );
    expect(
      fields.filter((field) =>
        /\.(is_?operator|role|account_?id|user_?id|multiplier_?ppm|balance|status|credits_posted)$/i.test(
          field,
        ),
      ),
    ).toEqual([]);
  });
});

/** Open objects and secret-sounding names in a schema's output. */
function leaks(json: Json, path: string): string[] {
  const own = Object.entries(json.properties ?? {}).flatMap(([name, child]) => [
    ...(/hash|secret|credential|nonce|token$|passwordHash|session_?version/i.test(name)
      ? [`${path}.${name}`]
      : []),
    ...leaks(child, `${path}.${name}`),
  ]);
  const isOpen =
    json.type === "object" &&
    json.additionalProperties !== false &&
    Object.keys(json.properties ?? {}).length > 0;
  const nested = [json.items, ...(json.anyOf ?? [])]
    .filter((each) => each !== undefined)
    .flatMap((each) => leaks(each, path));
  return [...(isOpen ? [`${path} is open`] : []), ...own, ...nested];
}

test("answers of the pages' API list their fields and contain no secret, except a new key and the audit log's hashes", async () => {
  const schemas = await schemasNamed(answers);
  expect(schemas.length).toBeGreaterThan(25);
  const found = schemas.flatMap(([name, schema]) => leaks(jsonOf(schema, "output"), name));
  expect(found.sort()).toEqual([
    "actionsResponse.actions.hash",
    "channelResponse.channel.credentialSetAt",
    "channelsResponse.channels.credentialSetAt",
    "createKeyResponse.secret",
  ]);
});
