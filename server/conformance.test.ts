/**
 * Every situation of the table, at an upstream of each protocol where it can occur, as the unmodified
 * libraries read it: in `npm test` one of them in turn, in `test:whole` all, in every dialect.
 * `testing/conformance` has the situations.
 */
import { describe, expect, test } from "vitest";
import { clients, readingOf } from "@/testing/conformance/clients";
import { endings, forDialect, type Situation } from "@/testing/conformance/situation";
import { parts, tableText } from "@/testing/conformance/table";
import { inTurn } from "@/testing/extent/extent";
import { sellModel } from "@/testing/relay/sold-model";
import { openTestRelay } from "@/testing/relay/test-relay";
import { wholeText } from "@/testing/relay/whole-text";
import { serveFind } from "@/testing/stage/serve-find";
import { opened } from "@/testing/unit/opened";
import { type Script, startUpstream } from "@/testing/upstream/test-upstream";

let script: Script;

const upstream = await opened(startUpstream((...asked) => script(...asked)));
const relay = await opened(
  openTestRelay({
    channels: [upstream.channel()],
    points: "100000",
    keepAliveMs: 1500,
  }),
);
const web = await opened(serveFind(relay.find));
/** With a model that reads documents. */
await sellModel(relay, wholeText);

/** How many operations have ended before the situation that runs. */
let known = 0;
/** Counts the rows, so that each of the clients has its turn. */
let rows = 0;

/** A row is a form of a protocol: `npm test` reads each with one of the clients. */
const cases = ({ upstream: sends, asks }: Situation) => {
  const able = clients.filter(({ isRaw }) => isRaw || asks === undefined);
  return (["openai", "anthropic"] as const).flatMap((protocol) =>
    (["plain", "stream"] as const).flatMap((form) => {
      const answer = sends[protocol]?.[form];
      if (answer === undefined) return [];
      return inTurn(rows++, able).map((client) => ({ client, protocol, form, answer }));
    }),
  );
};

async function run(situation: Situation, { client, protocol, form, answer }: Case) {
  const { spoken } = client;
  script = answer;
  relay.setting.channels = [
    upstream.channel({ protocol, timeoutSeconds: 20, ...situation.channel }),
  ];
  const before = upstream.seen.length;
  const asks = forDialect(situation.asks ?? {}, spoken);
  const read = await readingOf(client, web.origin, form, asks);
  expect(read).toMatchObject(forDialect(situation.reads, spoken));
  const { ends = "charged" } = situation;
  const expected = (typeof ends === "string" ? [ends] : ends).map((end) => endings[end]);
  const ended = await relay.ends(known);
  known += ended.length;
  expect(ended).toMatchObject(expected);
  situation.check?.(upstream.seen.slice(before), spoken, form);
}

type Case = ReturnType<typeof cases>[number];
const titled = (one: Case) => [`${one.client.name} of ${one.protocol}, ${one.form}`, one] as const;

describe.each(parts)("$name", ({ situations }) => {
  describe.each(situations.map((one) => [one.sent, one] as const))("%s", (_sent, situation) => {
    test.each(cases(situation).map(titled))("%s", (_title, one) => run(situation, one));
  });
});

test("docs/conformance.md is the table of the situations", async () => {
  await expect(tableText()).toMatchFileSnapshot("../docs/conformance.md");
});
