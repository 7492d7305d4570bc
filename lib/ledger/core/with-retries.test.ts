import { expect, test } from "vitest";
import { withRetries } from "./with-retries";

const failure = (code: string, message = "") => Object.assign(new Error(message), { code });

/** What the second attempt is told after the first one failed so. */
function toldAfter(error: Error): Promise<boolean> {
  let tries = 0;
  return withRetries((mayBeDone) =>
    ++tries === 1 ? Promise.reject(error) : Promise.resolve(mayBeDone),
  );
}

test.each([
  ["a lock that was not free in time", failure("55P03"), false],
  ["a deadlock", failure("40P01"), false],
  ["a statement that took too long", failure("57014"), false],
  ["a reference that another wrote at the same time", failure("23505"), false],
  ["no connection", new Error("timeout exceeded when trying to connect"), false],
  ["an answer that did not come in time", new Error("Query read timeout"), true],
  ["a connection that broke", failure("ECONNRESET"), true],
  ["a backend that was ended", failure("57P01"), true],
])("after %s an attempt is told whether the one before may be committed", async (_, error, may) => {
  expect(await toldAfter(error)).toBe(may);
});
