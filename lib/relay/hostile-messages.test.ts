/**
 * Every hostile upstream as one of the Messages API: the client gets an answer or a cut, one
 * operation ends, nothing stays held, and nothing is charged that was not reported.
 */
import { expect, test } from "vitest";
import { inTurn } from "@/testing/extent/extent";
import { openTestRelay } from "@/testing/relay/test-relay";
import { forms } from "@/testing/relay/text-forms";
import { opened } from "@/testing/unit/opened";
import { hostilities, startHostile } from "@/testing/upstream/hostilities";

const hostile = await opened(startHostile());
const relay = await opened(
  openTestRelay({
    channels: [hostile.channel({ protocol: "anthropic", timeoutSeconds: 2 })],
    points: "1000000",
    silence: { firstByteMs: 700, idleMs: 500 },
  }),
);

const kinds = Object.keys(hostilities);
const requests = forms
  .filter(({ name }) => name !== "responses")
  .flatMap((form) => [false, true].map((stream) => ({ form, stream })));

/** Answers that are whole: an upstream of this API may send them. */
const whole =
  /^(a flood of 1xx|(gzip|deflate|br) (that|without)|a body longer|a second answer|a byte order mark|words after)/;

test.each(kinds.map((kind, place) => [kind, place] as const))(
  "%s",
  async (kind, place) => {
    hostile.kind = kind;
    for (const { form, stream } of inTurn(place, requests)) {
      const known = (await relay.ends()).length;
      const body = JSON.stringify(form.body({ stream }));
      const text = await relay
        .fetch(form.path, { body })
        .then((response) => response.text())
        .catch(() => "");
      const [end, ...more] = (await relay.ends()).slice(known);
      expect(more).toEqual([]);
      expect((await relay.balance()).held).toBe(0n);
      if (whole.test(kind)) {
        expect(end).toMatchObject({ outcome: "settled", input: 5, output: 7 });
        expect(text).toContain("hi");
      } else if (end?.outcome === "settled") expect([end.input, end.output]).toEqual([5, 7]);
      else expect(end?.amount).toBe(0);
    }
  },
  60_000,
);
