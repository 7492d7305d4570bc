import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { withinTurnBudget } from "./turn-budget";

/** A listener whose requests take `ms` each, the addresses it has served, and how to call it. */
function listenFor(ms: number) {
  const served: string[] = [];
  let time = 0;
  const listener = withinTurnBudget(
    (request) => {
      time += ms;
      served.push(request.url ?? "");
    },
    ({ url }) => url ?? "",
    () => time,
  );
  const arrive = (url: string, destroyed = false) =>
    listener({ url } as IncomingMessage, { destroyed } as ServerResponse);
  return { served, arrive };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("of many requests that arrive together, few are started in one turn", async () => {
  const { served, arrive } = listenFor(2);
  for (let count = 0; count < 40; count++) arrive("a");
  expect(served.length).toBeLessThanOrEqual(4);
  for (let turns = served.length; turns < 40; turns++) {
    const before = served.length;
    await turn();
    expect(served.length - before).toBeLessThanOrEqual(1);
  }
  await turn();
  expect(served).toHaveLength(40);
});

test("an address that sends one request does not wait for all of another's", async () => {
  const { served, arrive } = listenFor(6);
  for (let count = 0; count < 40; count++) arrive("many");
  arrive("one");
  for (let turns = 0; turns < 3; turns++) await turn();
  expect(served.slice(0, 4)).toContain("one");
});

test("quick requests are all started at once, and one that is gone is not", async () => {
  const quick = listenFor(0);
  for (let count = 0; count < 40; count++) quick.arrive("a");
  expect(quick.served).toHaveLength(40);
  const slow = listenFor(6);
  slow.arrive("a");
  slow.arrive("gone", true);
  await turn();
  await turn();
  expect(slow.served).toEqual(["a"]);
});
