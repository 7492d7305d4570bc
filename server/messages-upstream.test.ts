/**
 * The unmodified `openai` and `@anthropic-ai/sdk` packages, through a relay whose only channel
 * speaks the Messages API: it is a second relay, which answers from the sandbox.
 */
import { beforeAll, expect, test } from "vitest";
import { anthropic } from "@/testing/clients/libraries/anthropic";
import { openaiChat } from "@/testing/clients/libraries/openai";
import { WEATHER } from "@/testing/clients/libraries/text-library";
import { type ServedRelay, serveRelay } from "@/testing/relay/served-relay";
import { opened } from "@/testing/unit/opened";

const inner = await opened(serveRelay());
const outer = await opened(serveRelay());
const [channel] = outer.relay.setting.channels;
beforeAll(async () => {
  if (channel === undefined) throw new Error("it has no channel");
  const there = { id: "ch_messages", apiKey: "good", baseUrl: `${inner.origin}/v1` };
  const models = { RelayV1: "RelayV1" };
  outer.relay.setting.channels = [{ ...channel, ...there, models, protocol: "anthropic" }];
});

/** Both relays charged each call, by the same counts. */
async function expectSameCharges(calls: number) {
  const counts = async ({ relay }: ServedRelay) =>
    (await relay.ends())
      .slice(-calls)
      .map(({ outcome, input, output }) => [outcome, input, output]);
  const [there, here] = [await counts(inner), await counts(outer)];
  expect(here).toEqual(there);
  expect(here.map(([outcome]) => outcome)).toEqual(Array(calls).fill("settled"));
}

test.each(
  [openaiChat, anthropic].flatMap((library) =>
    [false, true].map((isStream) => ({ library, isStream })),
  ),
)("$library.name: tools over two turns (stream: $isStream)", async ({ library, isStream }) => {
  const place = { origin: outer.origin, key: "good", model: "RelayV1", retries: 0 };
  const { given, text } = await library.callTool(place, isStream);
  expect(given).toEqual({ city: expect.any(String) });
  expect(text).toContain(WEATHER);
  await expectSameCharges(2);
});
