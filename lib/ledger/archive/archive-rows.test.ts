/** Tests that a request has the line and the hash that release 0.1.0 gave it: files and seals made then stay valid. */
import { createHash, randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { connect } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { requestOfLine, requestsBetween, rowsOfLines } from "./archive-rows";

/** Both as 0.1.0 made them, of an operation and its settlement. */
const line =
  `{"operation" : {"id":"01980000-0000-7000-8000-000000000001","account_id":"acct_a","api_key_id":"key_a","source":"api",` +
  `"request_id":"req_a","family":"text","model":"RelayV1","price_version_id":7,"multiplier_ppm":333333,"quote_amount":5000,"hold_amount":4000,` +
  `"request_sha256":"\\\\x2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881","node_id":"node_a",` +
  `"created_at":"2026-07-01T10:00:00.123456+00:00","deadline":"2026-07-01T10:10:00+00:00","dialect":"messages","model_version_id":3,"is_whole":true}, ` +
  `"settlement" : {"operation_id":"01980000-0000-7000-8000-000000000001","account_id":"acct_a","hold_amount":4000,"outcome":"settled","amount":1234,` +
  `"input_tokens":11,"output_tokens":22,"usage":{"quantities": {"input_token": 11, "output_token": 22}},"reason":null,"channel_id":"ch_a",` +
  `"upstream_ref":"up_a","is_stream":true,"is_abandoned":false,"duration_ms":678,"first_byte_ms":90,"created_at":"2026-07-01T10:00:01.5+00:00","is_followed":true}}`;
const hash = "eb18aa3ef0df29fe12b3e2d24411162b601b405b4781a3bf4a89c3fcdcf15a1e";
/** As it is written now. */
const written = line.replace(',"is_whole":true', ',"tags":null').replace(',"is_followed":true', "");
const range = {
  starts: "01980000-0000-7000-8000-000000000001",
  below: "01980000-0000-7000-8000-000000000002",
};

const owner = await opened(connect(await createTestDatabase()));
beforeAll(async () => {
  await owner.query("set timezone = 'UTC'; begin; set local session_replication_role = replica");
  await owner.query(`insert into request select r.* from ${requestOfLine("$1")} r`, [line]);
  await owner.query("commit");
});

test("its line is read as the row that was hashed, with or without the members that are gone", async () => {
  const rows = await rowsOfLines(owner, [line, written]);
  for (const row of rows)
    expect({ ...row, hash: row.hash.toString("hex") }).toEqual({
      ...{ id: range.starts, account_id: "acct_a", amount: "1234", day: "2026-07-01" },
      ...{ hash, belongs: true, is_same: true },
    });
  expect(rows).toHaveLength(2);
});

test("its row is written as that line, and hashed so by the archive and by the sealer", async () => {
  for await (const rows of requestsBetween(owner, range))
    expect(rows.map((row) => [row.line, row.hash.toString("hex")])).toEqual([[written, hash]]);
  await owner.query("begin");
  const { rows } = await owner.query<{ requests: string; hash: Buffer }>(
    "select requests, hash from ledger_seal_requests($1, $2, 1)",
    [range.starts, range.below],
  );
  await owner.query("rollback");
  const ofPiece = createHash("sha256").update(Buffer.from(hash, "hex")).digest();
  expect(rows).toEqual([{ requests: "1", hash: ofPiece }]);
});

test("a line of two requests belongs to none, and one with another value is not as the database has it", async () => {
  const { operation, settlement } = JSON.parse(line);
  const changed = (change: Record<string, unknown>) =>
    JSON.stringify({ operation, settlement: { ...settlement, ...change } });
  const rows = await rowsOfLines(owner, [
    changed({ operation_id: randomUUID() }),
    changed({ account_id: "acct_b" }),
    changed({ hold_amount: 4001 }),
    changed({ duration_ms: 679 }),
    changed({ created_at: "2026-07-01T10:00:01.6+00:00" }),
  ]);
  expect(rows.map(({ belongs, is_same }) => [belongs, is_same])).toEqual([
    ...Array.from({ length: 3 }, () => [false, true]),
    ...Array.from({ length: 2 }, () => [true, false]),
  ]);
  expect(rows.filter((row) => row.hash.toString("hex") === hash)).toHaveLength(3);
});
