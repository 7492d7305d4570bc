/** Lists of rates in the database, with those of earlier releases. */
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { opened } from "@/testing/unit/opened";
import { setPrice, withdrawPrice } from "../commands/prices";
import { openPool } from "../db/pool";
import { priceOfRates, type Rate, ratesOf } from "../pricing/rate";
import { rateLine } from "../pricing/rate-line";
import { readPrices } from "./price-book";
import { readPriceVersions, readUpcomingPrices } from "./price-schedule";
import { seedPrices } from "./set-price";

const pool = await opened(openPool(await createTestDatabase(), 4));
await seedPrices(pool);

const listOfText: Rate[] = [
  { unit: "input_token", amount: 80n },
  { unit: "cached_input_token", amount: 8n },
  { unit: "output_token", amount: 900n },
  { unit: "request", amount: 3n },
];
const second = (resolution: string, audio: boolean, amount: bigint): Rate => ({
  unit: "second",
  resolution,
  audio,
  amount,
});
const priceNow = async (model: string) =>
  (await readPrices(pool)).find((version) => version.model === model)?.price;
const set = (model: string, rates: readonly Rate[], effectiveAt: Date | null = null) =>
  setPrice({ pool }, "cli", { model, rates, effectiveAt });

test("a whole list is read as it was set, and its tokens are what an earlier release reads", async () => {
  await set("RelayV1", listOfText);
  expect(await priceNow("RelayV1")).toEqual(priceOfRates(listOfText));
  const film = [second("720p", true, 40n), second("720p", false, 30n)];
  await set("Super-Relay", film);
  expect(await priceNow("Super-Relay")).toEqual({ input: 0n, output: 0n, others: film });
  const byTier: Rate[] = ["default", "flex"].map((tier) => ({
    unit: "video_token",
    resolution: "720p",
    input_video: false,
    tier,
    amount: 9n,
  }));
  await set("Super-Relay", [...byTier, { unit: "tool_call", amount: 5n }]);
  expect((await priceNow("Super-Relay"))?.others).toHaveLength(3);
  const one = setPrice({ pool }, "cli", { model: "Super-Relay", output: 1n, effectiveAt: null });
  await expect(one).rejects.toMatchObject({ param: "output" });
  const { rows } = await pool.query(
    "select input_price::int as input, output_price::int as output from price_version where model = 'RelayV1' order by id desc limit 1",
  );
  expect(rows).toEqual([{ input: 80, output: 900 }]);
});

test("rates of text name a tier beside the plain ones, which are those of every other tier", async () => {
  const flex: Rate[] = [
    { unit: "input_token", tier: "flex", amount: 40n },
    { unit: "output_token", tier: "flex", amount: 450n },
    { unit: "audio_token", amount: 2000n },
    { unit: "tool_call", amount: 7n },
  ];
  await set("RelayV1", [...listOfText, ...flex]);
  expect(await priceNow("RelayV1")).toEqual(priceOfRates([...listOfText, ...flex]));
  const dear: Rate[] = [
    { unit: "cached_input_token", tier: "default", amount: 8n },
    { unit: "cached_input_token", tier: "flex", amount: 41n },
  ];
  const wrong = [listOfText[0], listOfText[2], ...flex, ...dear].filter(
    (rate) => rate !== undefined,
  );
  await expect(set("RelayV1", wrong)).rejects.toMatchObject({ param: "rates[7]" });
  const twice: Rate[] = [...listOfText, { unit: "output_token", amount: 1n }];
  await expect(set("RelayV1", twice)).rejects.toMatchObject({ param: "rates[4]" });
});

const long: Rate[] = [
  { unit: "input_token", amount: 80n },
  { unit: "input_token", input_from: 200_000, amount: 160n },
  { unit: "input_token", input_from: 200_000, hours: "16:30-00:30", amount: 40n },
  { unit: "cached_input_token", amount: 8n },
  { unit: "cached_input_token", input_from: 128_000, amount: 16n },
  { unit: "output_token", amount: 900n },
  { unit: "output_token", hours: "16:30-00:30", amount: 450n },
  { unit: "request", amount: 3n },
  { unit: "request", hours: "00:00-12:00", amount: 2n },
];

test("rates of a length or of hours stand beside those of the rest", async () => {
  await set("RelayV1", long.toReversed());
  const listed = await priceNow("RelayV1");
  expect(listed).toEqual(priceOfRates(long.toReversed()));
  expect(ratesOf("text", listed ?? priceOfRates([])).map(rateLine)).toEqual([
    "input_token 0.00008",
    "input_token input_from=200000 hours=16:30-00:30 0.00004",
    "input_token input_from=200000 0.00016",
    "cached_input_token 0.000008",
    "cached_input_token input_from=128000 0.000016",
    "output_token 0.0009",
    "output_token hours=16:30-00:30 0.00045",
    "request hours=00:00-12:00 0.000002",
    "request 0.000003",
  ]);
  const night: Rate = { unit: "image_token", hours: "22:00-06:00", amount: 3n };
  await set("Super-Relay-Image", [{ unit: "image_token", amount: 8n }, night]);
  expect(await priceNow("Super-Relay-Image")).toEqual({ input: 0n, output: 8n, others: [night] });
});

test("the price of tokens changes, and the other rates stay", async () => {
  await set("RelayV1", listOfText);
  await setPrice({ pool }, "cli", { model: "RelayV1", output: 1000n, effectiveAt: null });
  const { others } = priceOfRates(listOfText);
  expect(await priceNow("RelayV1")).toEqual({ input: 80n, output: 1000n, others });
});

test("a version of an earlier release has the two rates that it names", async () => {
  await set("RelayV1", listOfText);
  await pool.query(
    "insert into price_version (model, input_price, output_price, created_by) values ('RelayV1', 5, 6, 'cli')",
  );
  expect(await priceNow("RelayV1")).toEqual({ input: 5n, output: 6n });
  expect(
    (await readPriceVersions(pool, { model: "RelayV1" })).versions
      .slice(0, 2)
      .map(({ price }) => price.others?.length),
  ).toEqual([undefined, 2]);
});

test("a planned price that changes only other rates is announced, and can be withdrawn", async () => {
  await set("RelayV1", listOfText);
  const at = new Date(Date.now() + 3_600_000);
  const { id } = await set("RelayV1", listOfText.with(3, { unit: "request", amount: 4n }), at);
  expect((await readUpcomingPrices(pool)).map((version) => version.id)).toEqual([id]);
  await withdrawPrice({ pool }, "cli", { id });
  expect(await readUpcomingPrices(pool)).toEqual([]);
});

test.each<[string, string, Rate[], string]>([
  ["no rates", "RelayV1", [], "rates"],
  ["a unit of another family", "RelayV1", [{ unit: "second", amount: 1n }], "rates[0]"],
  ["input of a video", "Super-Relay", [{ unit: "input_token", amount: 1n }], "rates[0]"],
  ["too much", "RelayV1", [{ unit: "request", amount: 10n ** 12n + 1n }], "rates[0]"],
  ["less than nothing", "RelayV1", [{ unit: "request", amount: -1n }], "rates[0]"],
  ["two for the same", "RelayV1", [...listOfText, { unit: "request", amount: 9n }], "rates[4]"],
  ["a size of a request", "RelayV1", [{ unit: "request", size: "x", amount: 9n }], "rates[0]"],
  [
    "a size with a space",
    "Super-Relay-Image",
    [{ unit: "image", size: "1 2", amount: 9n }],
    "rates[0]",
  ],
  [
    "one for all beside one for some",
    "Super-Relay",
    [second("720p", true, 1n), { unit: "second", amount: 1n }],
    "rates[1]",
  ],
  [
    "cached above plain input",
    "RelayV1",
    [
      { unit: "input_token", amount: 1n },
      { unit: "cached_input_token", amount: 2n },
    ],
    "rates[1]",
  ],
  [
    "a length of a request",
    "RelayV1",
    [{ unit: "request", input_from: 5, amount: 9n }],
    "rates[0]",
  ],
  ["a length without the rest", "RelayV1", long.slice(1), "rates[0]"],
  [
    "hours without the rest",
    "RelayV1",
    [{ unit: "request", hours: "00:00-12:00", amount: 1n }],
    "rates[0]",
  ],
  [
    "a length without the rest of its tier",
    "RelayV1",
    [...long, { unit: "input_token", tier: "flex", input_from: 5, amount: 1n }],
    "rates[9]",
  ],
  [
    "hours that begin before others end",
    "RelayV1",
    [...long, { unit: "request", hours: "11:59-13:00", amount: 1n }],
    "rates[9]",
  ],
  [
    "hours within others over midnight",
    "RelayV1",
    [...long, { unit: "output_token", hours: "00:00-00:10", amount: 1n }],
    "rates[9]",
  ],
  [
    "no hours",
    "RelayV1",
    [...long, { unit: "request", hours: "12:00-12:00", amount: 1n }],
    "rates[9]",
  ],
  [
    "hours of no day",
    "RelayV1",
    [...long, { unit: "request", hours: "12:00-24:00", amount: 1n }],
    "rates[9]",
  ],
  ["two for one length", "RelayV1", [...long, { ...long[1], amount: 1n } as Rate], "rates[9]"],
  [
    "cached above input at some time",
    "RelayV1",
    [...long, { unit: "input_token", hours: "01:00-02:00", amount: 15n }],
    "rates[4]",
  ],
  [
    "cached above the input of a tier",
    "RelayV1",
    [...listOfText, { unit: "input_token", tier: "flex", amount: 7n }],
    "rates[1]",
  ],
])("a list with %s is refused, naming the rate", async (_, model, rates, param) => {
  await expect(set(model, rates)).rejects.toMatchObject({ param });
});

test("an input price below the rate of cached input is refused", async () => {
  await set("RelayV1", listOfText);
  const change = { model: "RelayV1", input: 7n, output: 900n, effectiveAt: null };
  await expect(setPrice({ pool }, "cli", change)).rejects.toMatchObject({ param: "input" });
});

test("an input price alone is refused where the list has further rates of input, which would stay", async () => {
  await set("RelayV1", long);
  const change = { model: "RelayV1", output: 900n, effectiveAt: null };
  await expect(setPrice({ pool }, "cli", { ...change, input: 90n })).rejects.toMatchObject({
    param: "input",
  });
});

test.each([
  '{"unit":"request","amount":1}',
  '[["unit"]]',
  '[[{"unit":"request","amount":1}]]',
  '[{"unit":"token","amount":1}]',
  '[{"unit":"output_token","amount":1}]',
  '[{"unit":["image"],"amount":1}]',
  '[{"unit":7,"amount":1}]',
  '[{"unit":"request"}]',
  '[{"unit":"request","amount":"1"}]',
  '[{"unit":"request","amount":1.5}]',
  '[{"unit":"request","amount":-1}]',
  '[{"unit":"request","amount":1000000000001}]',
  '[{"unit":"request","amount":1,"colour":"red"}]',
  '[{"unit":"request","amount":1,"size":"1"}]',
  '[{"unit":"image","amount":1,"size":7}]',
  '[{"unit":"image","amount":1,"size":"a b"}]',
  '[{"unit":"image","amount":1,"audio":true}]',
  '[{"unit":"second","amount":1,"audio":"yes"}]',
  '[{"unit":"second","amount":1,"input_video":"yes"}]',
  '[{"unit":"second","amount":1,"tier":7}]',
  '[{"unit":"tool_call","amount":1,"tier":"flex"}]',
  '[{"unit":"video_token","amount":1}]',
  '[{"unit":"image_token","amount":1}]',
  '[{"unit":"image_token","amount":1,"tier":"flex"}]',
  '[{"unit":"request","amount":1},{"unit":"request","amount":1,"input_from":5}]',
  '[{"unit":"second","amount":1},{"unit":"second","amount":1,"input_from":5}]',
  '[{"unit":"input_token","amount":1,"input_from":0}]',
  '[{"unit":"input_token","amount":1,"input_from":1.5}]',
  '[{"unit":"input_token","amount":1,"input_from":"5"}]',
  '[{"unit":"input_token","amount":1,"input_from":2147483649}]',
  '[{"unit":"input_token","amount":1,"tier":"flex","input_from":5}]',
  '[{"unit":"cached_input_token","amount":1,"input_from":5}]',
  '[{"unit":"request","amount":1,"hours":"12:00-13:00"}]',
  '[{"unit":"output_token","amount":1,"hours":"12:00-24:00"}]',
  '[{"unit":"output_token","amount":1,"hours":"1:00-2:00"}]',
  '[{"unit":"output_token","amount":1,"hours":7}]',
  '[{"unit":"output_token","amount":1,"hours":["12:00-13:00"]}]',
  '[{"unit":"output_token","amount":1,"hours":"12:00-12:00"}]',
  '[{"unit":"output_token","amount":1,"hours":"12:00-13:00"},{"unit":"output_token","amount":1,"hours":"12:59-14:00"}]',
  '[{"unit":"output_token","amount":1,"hours":"22:00-02:00"},{"unit":"output_token","amount":1,"hours":"01:00-03:00"}]',
  '[{"unit":"video_token","amount":1,"size":"1"}]',
  '[{"unit":"request","amount":1},{"unit":"request","amount":2}]',
  '[{"unit":"second","amount":1},{"unit":"second","audio":true,"amount":2}]',
  JSON.stringify(
    Array.from({ length: 63 }, (_, at) => ({ unit: "image", size: `${at}`, amount: 1 })),
  ),
])("the database refuses the rates %s", async (rates) => {
  const text =
    "insert into price_version (model, output_price, other_rates, created_by) values ('RelayV1', 1, $1, 'cli')";
  await expect(pool.query(text, [rates])).rejects.toMatchObject({
    code: expect.stringMatching(/^2/),
  });
});

test("a version cannot be changed once it is there", async () => {
  await set("RelayV1", listOfText);
  await expect(pool.query("update price_version set other_rates = '[]'")).rejects.toThrow();
});
