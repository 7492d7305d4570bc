/** Random orders of videos over all fields, at random rates: what is quoted, held, charged and shown. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { faultsOf } from "@/testing/ledger/faults-of";
import { openPricedRelay } from "@/testing/relay/priced-relay";
import { billFor, sellModel } from "@/testing/relay/sold-model";
import { wholeVideo } from "@/testing/relay/whole-video";
import { opened } from "@/testing/unit/opened";
import { timeOfDay } from "../../pricing/price-at";

/** A multiplier at which almost every price needs rounding. */
const PPM = 873_457;

const site = await opened(openPricedRelay(PPM));

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const file = "https://files.example/a.mp4";
const order = fc.record({
  resolution: maybe(fc.constantFrom("480p", "720p", "1080p", "2k", "4k")),
  ratio: maybe(fc.constantFrom("16:9", "1:1", "9:16", "adaptive")),
  duration: maybe(fc.constantFrom(-1, 2, 5, 15)),
  generate_audio: maybe(fc.boolean()),
  service_tier: maybe(fc.constantFrom("default", "flex", "auto")),
  draft: maybe(fc.boolean()),
  tools: maybe(fc.constant([{ type: "web_search" }])),
  priority: maybe(fc.integer({ min: 0, max: 9 })),
  isMadeFrom: fc.boolean(),
});
/** Hours that last while this runs, and others. */
const clock = (hours: number) => timeOfDay(Date.now() + hours * 3_600_000);
const [now, later] = [`${clock(-6)}-${clock(6)}`, `${clock(6)}-${clock(9)}`];
const cases = wholeVideo.rates.slice(0, 24);
const variedRates = [
  ...wholeVideo.rates,
  ...cases.flatMap((rate, at) => (at % 2 === 0 ? [{ ...rate, hours: now }] : [])),
  ...cases.flatMap((rate, at) => (at % 4 === 1 ? [{ ...rate, hours: later }] : [])),
  { unit: "tool_call", hours: now },
];
const points = fc.integer({ min: 0, max: 2_000_000_000 }).map((micro) => micro / 1e6);
const given = fc.record({
  rates: fc.array(points, { minLength: variedRates.length, maxLength: variedRates.length }),
  orders: fc.array(order, { minLength: 3, maxLength: 3 }),
});

test("page, quote, hold, settlement, receipt and statement say the same, and no bill is above the quote", async () => {
  let [charged, models] = [0n, 0];
  await fc.assert(
    fc.asyncProperty(given, async ({ rates, orders }) => {
      const id = `acme-bill-${++models}`;
      const priced = variedRates.map((rate, at) => ({ ...rate, points: rates[at] ?? 1 }));
      await sellModel(site.relay, { ...wholeVideo, id, rates: priced });
      for (const { isMadeFrom, ...fields } of orders) {
        const made = isMadeFrom ? [{ type: "video_url", video_url: { url: file } }] : [];
        const content = [{ type: "text", text: "a boat" }, ...made];
        const body = JSON.parse(JSON.stringify({ model: id, content, ...fields }));
        const bill = await billFor(site, {
          ...{ endpoint: "createVideoTask", path: "/contents/generations/tasks", body },
        });
        const told = JSON.stringify(body);
        expect(bill.held, told).toBe(bill.quotedHold);
        expect(bill.settled <= bill.quoted && bill.quoted <= bill.held, told).toBe(true);
        const isOpen = fields.duration === -1 || fields.draft || fields.tools || isMadeFrom;
        if (!isOpen && fields.ratio !== "adaptive" && bill.held > 1n) {
          expect(bill.settled, told).toBe(bill.quoted);
          expect(bill.quoteLines, told).toEqual(bill.lines);
        }
        charged += bill.settled;
      }
    }),
    { numRuns: extent(2, 9) },
  );
  const statement = await site.page<{ closing: { charged: string } }>("showStatement");
  expect(JSON.stringify(statement)).toContain(String(Number(charged) / 1e6));
  expect(await faultsOf(site.relay.pool)).toEqual([]);
}, 300_000);
