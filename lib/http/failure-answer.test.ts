import { join } from "node:path";
import { expect, test } from "vitest";
import { productIn } from "@/server/sources.mjs";
import { createTestDatabase } from "@/testing/db/test-database";
import { opened } from "@/testing/unit/opened";
import { connectDatabase } from "../db/client";
import { openPool } from "../db/pool";
import { inDatabaseTransaction, inTransaction } from "../db/transaction";
import { type FailureCode, failures } from "../failures/failure-table";
import { RelayError } from "../failures/relay-error";
import { customerError } from "../relay/order/upstream-error";
import type { UpstreamFailure } from "../upstream/provider";
import { failureAnswer, publicError } from "./failure-answer";

const codes = Object.keys(failures) as FailureCode[];

/** The retry advice for a client library: how long to wait, or that the error is final. */
function adviceOf(error: RelayError): { wait: number | null; isFinal: boolean } {
  const { headers } = failureAnswer(error, {});
  const seconds = headers["retry-after"];
  if (seconds !== undefined) expect(seconds).toMatch(/^[1-9]\d*$/);
  return {
    wait: seconds === undefined ? null : Number(seconds),
    isFinal: headers["x-should-retry"] === "false",
  };
}

test.each(codes)("%s says whether to retry, however it is thrown", (code) => {
  for (const error of [
    new RelayError(code),
    new RelayError(code, { message: "other words", fields: {}, headers: {} }),
    publicError(new RelayError(code)),
  ]) {
    const { wait, isFinal } = adviceOf(error);
    expect(isFinal).toBe(!failures[code].isRetryable);
    if (failures[code].isRetryable) expect(wait).toBeGreaterThan(0);
  }
  expect(adviceOf(new RelayError(code, { retryAfterSeconds: 7 })).wait).toBe(7);
});

test("errors of drivers and bugs also say whether to retry", () => {
  const outage = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  expect(adviceOf(publicError(outage))).toEqual({ wait: 2, isFinal: false });
  expect(adviceOf(publicError(new TypeError("x is undefined")))).toEqual({
    wait: null,
    isFinal: true,
  });
});

test("where others had the rows, nothing was done and it is tried again: a lock, a deadlock, a conflict", async () => {
  const pool = await opened(
    createTestDatabase().then((url) => openPool(url, 2)),
    (pool) => pool.end(),
  );
  const database = await opened(
    createTestDatabase().then((url) => connectDatabase(url, 2)),
    (database) => database.$disconnect(),
  );
  const lock = "select pg_advisory_xact_lock(1)";
  const blocked = (query: (text: string) => Promise<unknown>) =>
    query("select set_config('lock_timeout', '20ms', true)").then(() => query(lock));
  const thrown: unknown[] = [];
  await inTransaction(pool, async (holder) => {
    await holder.query(lock);
    await inTransaction(pool, (client) => blocked((text) => client.query(text))).catch((error) =>
      thrown.push(error),
    );
  });
  await database.$transaction(async (holder) => {
    await holder.$executeRawUnsafe(lock);
    await inDatabaseTransaction(database, (other) =>
      blocked((text) => other.$executeRawUnsafe(text)),
    ).catch((error) => thrown.push(error));
  });
  for (const code of ["40P01", "40001", "P2034"]) thrown.push(Object.assign(new Error(), { code }));
  expect(thrown).toHaveLength(5);
  for (const error of thrown) {
    expect(publicError(error).code).toBe("service_busy");
    expect(adviceOf(publicError(error))).toEqual({ wait: 1, isFinal: false });
  }
});

test("an upstream failure that may have cost something is final, without a time to wait", () => {
  const failure: UpstreamFailure = {
    code: "upstream_failed",
    param: null,
    internal: "",
    isSurelyFree: false,
    mayHaveCost: true,
    isOperatorFault: false,
  };
  expect(adviceOf(customerError(failure))).toEqual({ wait: null, isFinal: true });
  expect(adviceOf(customerError({ ...failure, mayHaveCost: false }))).toEqual({
    wait: 1,
    isFinal: false,
  });
});

test("no other place creates an answer of 500 and above", () => {
  const root = join(import.meta.dirname, "../..");
  const files = productIn(root, ["lib", "server", "app"]);
  expect(files.length).toBeGreaterThan(200);
  const makes = /(?:writeHead\(|status: |statusCode = |HTTP\/1\.1 )5\d\d\b/;
  const found = files.filter(({ path, text }) => makes.test(text) && !path.includes("/sandbox/"));
  // The server completes the answers of this file before they are sent.
  expect(found.map(({ path }) => path)).toEqual(["server/web-server.ts"]);
});
