import { expect, test } from "vitest";
import { createPageLimiter } from "./page-limiter";

const bounds = { user: { read: 600, write: 60 }, address: { read: 3000, write: 300 } };

test("a minute's requests may come at once, then one whenever one becomes free, with the wait", () => {
  let now = 0;
  const limiter = createPageLimiter(bounds, () => now);
  for (let request = 0; request < 60; request++) limiter.take("user", "usr_1", "write");
  expect(() => limiter.take("user", "usr_1", "write")).toThrow(
    expect.objectContaining({
      code: "page_rate_limited",
      retryAfterSeconds: 1,
      message: expect.stringContaining("60"),
    }),
  );
  // A refused request does not delay the next one.
  for (let refused = 0; refused < 100; refused++)
    expect(() => limiter.take("user", "usr_1", "write")).toThrow();
  now = 1000;
  limiter.take("user", "usr_1", "write");
  expect(() => limiter.take("user", "usr_1", "write")).toThrow();
  now = 100_000;
  for (let request = 0; request < 60; request++) limiter.take("user", "usr_1", "write");
});

test("what costs several requests is counted as all of them or not at all, and says how long to wait", () => {
  let now = 0;
  const limiter = createPageLimiter(bounds, () => now);
  const takeSix = () => limiter.take("user", "usr_1", "write", 6);
  for (let taken = 0; taken < 10; taken++) takeSix();
  for (let refused = 0; refused < 100; refused++)
    expect(takeSix).toThrow(expect.objectContaining({ retryAfterSeconds: 6 }));
  now = 6000;
  takeSix();
});

test("reads and writes, users and addresses are counted separately", () => {
  const limiter = createPageLimiter(bounds, () => 0);
  for (let request = 0; request < 60; request++) limiter.take("user", "a", "write");
  limiter.take("user", "b", "write");
  limiter.take("user", "a", "read");
  for (let request = 0; request < 300; request++) limiter.take("address", "a", "write");
  expect(() => limiter.take("address", "a", "write")).toThrow();
});

test("memory is bounded, however many addresses send requests", () => {
  const limiter = createPageLimiter(bounds, () => 0);
  for (let address = 0; address < 50_000; address++)
    limiter.take("address", `10.0.${address}`, "read");
  expect(limiter.size).toBe(20_000);
});

test("asking whether a subject has room counts nothing, and throws as a request would", () => {
  const limiter = createPageLimiter(bounds, () => 0);
  for (let asked = 0; asked < 1000; asked++) limiter.assertRoom("user", "usr_1", "write");
  for (let request = 0; request < 60; request++) limiter.take("user", "usr_1", "write");
  expect(() => limiter.assertRoom("user", "usr_1", "write")).toThrow(
    expect.objectContaining({ code: "page_rate_limited", retryAfterSeconds: 1 }),
  );
  expect(limiter.size).toBe(1);
});
