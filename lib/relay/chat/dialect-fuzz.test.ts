/**
 * Bodies that are generated from each dialect's own schema, and streams of upstreams, both damaged
 * here and there.
 */
import { expect, test } from "vitest";
import { z } from "zod";
import { clients, readingOf } from "@/testing/conformance/clients";
import { type OddStream, oddStream, sendOdd } from "@/testing/conformance/odd-streams";
import { extent } from "@/testing/extent/extent";
import { seeded } from "@/testing/extent/random";
import { sendBodies } from "@/testing/relay/bodies-of-schema";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { serveFind } from "@/testing/stage/serve-find";
import { opened } from "@/testing/unit/opened";
import { saying, usageOf } from "@/testing/upstream/test-upstream";
import type { EndpointRow } from "../../contract/endpoint";
import { endpoints } from "../../contract/endpoints";
import { failureBody } from "../../contract/failure-body";
import { messagesFailure } from "../../contract/messages";
import type { Dialect } from "../../contract/states";

const BODIES = extent(400, 10_000);

/** The error bodies of the dialects of text that have an endpoint. */
const failures: Partial<Record<Dialect, z.ZodType>> = {
  messages: messagesFailure,
  responses: failureBody,
};

const setup = await scriptedRelay((upstream) => ({
  channels: [upstream.channel()],
  points: "100000",
}));
setup.script = saying("hi", usageOf(1, 1));

const rows: EndpointRow[] = Object.values(endpoints);
const sold = rows.filter(
  ({ dialect, billing }) => dialect && failures[dialect] && billing === "generation",
);

test.each(sold)(
  "$path: bodies of its schema get 4xx in its own form or are served, and no hold stays open",
  { timeout: 900_000 },
  ({ path, request, dialect }) =>
    sendBodies(setup.relay, {
      ...{ path, total: BODIES, model: "RelayV1" },
      schema: request ?? z.never(),
      failure: (dialect && failures[dialect]) ?? z.never(),
    }),
);

const STREAMS = extent(120, 10_000);

const web = await opened(serveFind(setup.relay.find));

/** A call's arguments could be read. */
const isRead = ({ input }: { readonly input: unknown }) =>
  typeof input === "object" && input !== null && !("broken" in input);

test("streams with odd pieces raise no error in a library, and are charged by their last usage", {
  timeout: 3_600_000,
}, async () => {
  const { relay, upstream } = setup;
  const known = (await relay.ends()).length;
  const sent: OddStream[] = [];
  const ended = new Map<string, number>();
  for (let seed = 0; seed < STREAMS; seed++) {
    const random = seeded(seed);
    const stream = oddStream(random);
    sent.push(stream);
    setup.script = sendOdd(random, stream);
    relay.setting.channels = [upstream.channel({ protocol: stream.protocol })];
    const client = clients[seed % clients.length] ?? expect.fail("there is no client");
    const reading = await readingOf(client, web.origin, "stream", {});
    const told = `${seed} ${client.name} of ${stream.protocol}: ${stream.events.join("")}`;
    expect(reading.error, told).toBe(null);
    expect(reading.end, told).not.toBe("error");
    // What is lost of a call cannot be known: its answer says that it is cut.
    if (reading.end !== "length")
      expect(reading.calls.every(isRead), `${told} → ${JSON.stringify(reading)}`).toBe(true);
    ended.set(reading.end, (ended.get(reading.end) ?? 0) + 1);
  }
  const charges = (await relay.ends()).slice(known).map(({ amount }) => amount);
  expect(charges).toEqual(sent.map(({ usage: [input, output] }) => input * 80 + output * 800));
  for (const end of ["stop", "calls", "length"])
    expect(ended.get(end), end).toBeGreaterThan(STREAMS / 20);
});
