import pg from "pg";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { createTestDatabase } from "@/testing/db/test-database";
import { opened } from "@/testing/unit/opened";
import { givenRole } from "./members";
import type { PageEndpoints } from "./page-endpoint";
import { pageEndpoints } from "./page-endpoints";

const table: PageEndpoints = pageEndpoints;

/**
 * One part of every row of the pages' API. Bodies of the public API may contain fields that other
 * services' client libraries send; they have tests of their own.
 */
const schemasOf = (part: "body" | "answer"): [name: string, schema: z.ZodType][] =>
  Object.entries(table).flatMap(([name, { [part]: schema }]): [string, z.ZodType][] =>
    schema instanceof z.ZodType ? [[name, schema]] : [],
  );

/** Every column name, in snake case and camel case. */
const pool = await opened(new pg.Pool({ connectionString: await createTestDatabase() }));
const { rows } = await pool.query<{ name: string }>(
  "select distinct column_name as name from information_schema.columns where table_schema = 'public'",
);
const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const columns = [...new Set(rows.flatMap(({ name }) => [name, camel(name)]))];

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
  test("accept their own fields and refuse every other column of every table", () => {
    const schemas = schemasOf("body").filter(
      ([, schema]) => jsonOf(schema, "input").type === "object",
    );
    expect(schemas.length).toBeGreaterThan(24);
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

  test("have no field that could set a role, a balance or another account", () => {
    const fields = schemasOf("body").flatMap(([name, schema]) =>
      Object.keys(jsonOf(schema, "input").properties ?? {}).map((field) => `${name}.${field}`),
    );
    expect(
      fields.filter((field) =>
        /\.(is_?operator|role|account_?id|user_?id|multiplier_?ppm|balance|status|credits_posted)$/i.test(
          field,
        ),
      ),
    ).toEqual(["changeMemberRole.role", "inviteMember.role"]);
    // Rows for those who manage members, who give roles below the owner's.
    expect(givenRole.options).not.toContain("owner");
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

test("answers of the pages' API list their fields and contain no secret, except a new key, a new app's key, a webhook's new key and the audit log's hashes", () => {
  const schemas = schemasOf("answer");
  expect(schemas.length).toBeGreaterThan(70);
  const found = schemas.flatMap(([name, schema]) => leaks(jsonOf(schema, "output"), name));
  expect(found.sort()).toEqual([
    "changeChannel.channel.credentialSetAt",
    "changeChannel.channel.credentialWeight",
    "changeChannel.channel.credentials",
    "createChannel.channel.credentialSetAt",
    "createChannel.channel.credentialWeight",
    "createChannel.channel.credentials",
    "createKey.secret",
    "createManagementKey.secret",
    "createOperatorKey.secret",
    "createWebhook.secret",
    "listActions.actions.hash",
    "listChannels.channels.credentialSetAt",
    "listChannels.channels.credentialWeight",
    "listChannels.channels.credentials",
    "listUpstreamBalances.balances.credential",
    "rotateWebhook.secret",
    "setChannelState.channel.credentialSetAt",
    "setChannelState.channel.credentialWeight",
    "setChannelState.channel.credentials",
    "setUpstreamAlarm.balances.credential",
    "showLoggedRequest.attempts.credential",
    "startTotp.secret",
  ]);
});
