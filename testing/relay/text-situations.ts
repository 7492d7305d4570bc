/** What the tests share that run one table of situations for every form of a request for text. */
import { beforeAll, beforeEach } from "vitest";
import { opened } from "../unit/opened";
import { type Script, sendJson, streamType } from "../upstream/test-upstream";
import { type TextWire, textWires } from "../upstream/text-wires";
import { scriptedRelay } from "./scripted-relay";
import { openTestRelay } from "./test-relay";
import { type Form, forms } from "./text-forms";

/** The usage of every answer that has one, and its cost in micropoints. */
const counts = [100, 20] as const;
export const CHARGE = counts[0] * 80 + counts[1] * 800;

/** How an operation ends. */
export const charged = { outcome: "settled", amount: CHARGE, losses: [] };
export const free = { outcome: "released", amount: 0, losses: [] };
export const lost = { outcome: "released", amount: 0, losses: ["usage_missing"] };

/** How a client's stream is made: of the upstream's own, or of its whole answer. */
export interface Making {
  readonly from: "stream" | "whole answer";
  /** An upstream's answer, `text` only where it is a whole one. */
  answer(wire: TextWire, text?: string): Script;
  /** The same without usage. */
  withoutUsage(wire: TextWire): Script;
}

const streaming =
  (...parts: string[]): Script =>
  (response) => {
    response.writeHead(200, streamType).end(parts.join(""));
  };

export const wholly =
  (wire: TextWire, text = "content"): Script =>
  (response) =>
    sendJson(response, wire.whole(text, counts));

export const makings: readonly Making[] = [
  {
    from: "stream",
    answer: ({ text, finish, usage, done }) => streaming(text, finish, usage, done),
    withoutUsage: ({ text, finish, done }) => streaming(text, finish, done),
  },
  {
    from: "whole answer",
    answer: wholly,
    withoutUsage: (wire) => (response) => sendJson(response, wire.whole("content")),
  },
];

/** Every form with every format of an upstream. */
export const pairs = textWires(...counts).flatMap((wire) =>
  forms.map((form) => ({ form, wire, pair: `${form.name} to ${wire.protocol}` })),
);

/** A relay, one whose account has no points, and the ends of the operations of the running test. */
export async function textSituations() {
  const setup = await scriptedRelay((upstream) => ({
    channels: [upstream.channel({ timeoutSeconds: 5 })],
  }));
  const poor = await opened(openTestRelay({ channels: [setup.upstream.channel()], points: "0" }));
  let known = 0;
  beforeEach(async () => {
    known = (await setup.relay.ends()).length;
  });
  return {
    setup,
    poor,
    newEnds: async () => (await setup.relay.ends()).slice(known),
    /** Before the tests of a block: the relay's channel speaks this format, and makes streams so. */
    use: ({ protocol }: TextWire, from: Making["from"] = "stream") =>
      beforeAll(() => {
        const profile =
          from === "stream" ? {} : { profile: { plainUsage: true, streamUsage: false } };
        setup.relay.setting.channels = [
          setup.upstream.channel({ timeoutSeconds: 5, protocol, ...profile }),
        ];
      }),
    sender:
      (form: Form) =>
      (fields: object = {}, headers: Record<string, string> = {}, to = setup.relay) =>
        to.send(form.path, { body: JSON.stringify(form.body(fields)), headers }),
  };
}

/** The code of the error that a stream ends with. */
export function lastError(form: Form, answer: string): unknown {
  const line = answer.trim().split("\n").at(-1) ?? "";
  return form.errorCode(JSON.parse(line.slice("data: ".length)));
}
