import { expect, test } from "vitest";
import { startOperatorProcess } from "@/testing/pages-api/operator-process";
import { opened } from "@/testing/unit/opened";
import { showOperatorPrices } from "../queries/operator-prices";
import { priceUseCases } from "./operator-prices";

const own = await opened(startOperatorProcess(), ({ site }) => site.close());

test("a price that cannot be parsed is refused by field name, never read as free", async () => {
  const { deps } = own.site;
  const call = (body: object) => ({ deps, body, user: own.operator }) as never;
  const versions = () => deps.database.priceVersion.count();
  const before = await versions();
  for (const [input, output, param] of [
    ["80", "free", "output"],
    ["", "800", "input"],
    ["1e3", "800", "input"],
  ] as const) {
    const refused = { code: "invalid_value", param };
    const body = { model: "RelayV1", input, output };
    await expect(
      priceUseCases.setPrice(call({ ...body, effectiveAt: null })),
    ).rejects.toMatchObject(refused);
    await expect(priceUseCases.previewPrice(call(body))).rejects.toMatchObject(refused);
    const price = { currency: "CNY", input, output };
    await expect(
      priceUseCases.noteUpstreamPrice(call({ subject: "RelayV1", price })),
    ).rejects.toMatchObject(refused);
  }
  expect(await versions()).toBe(before);
});

test("each rate by length or hours has its margin over what the upstream asks for the same", async () => {
  const { deps } = own.site;
  const call = (body: object) => ({ deps, body, user: own.operator }) as never;
  const note = (subject: string, price: object) =>
    priceUseCases.noteUpstreamPrice(call({ subject, price }));
  const long = { unit: "input_token", input_from: 200_001 };
  const night = { unit: "output_token", hours: "16:30-00:30" };
  await note("point", { currency: "USD", input: null, output: "1", rates: [] });
  await note("RelayV1", {
    ...{ currency: "USD", input: "1", output: "5" },
    rates: [
      { ...long, points: "3" },
      { ...night, points: "1" },
    ],
  });
  const rates = [
    { unit: "input_token", points: "2" },
    { ...long, points: "4" },
    { unit: "output_token", points: "10" },
    { ...night, points: "5" },
    { unit: "output_token", input_from: 9, hours: "16:30-00:30", points: "2" },
  ];
  await priceUseCases.setPrice(call({ model: "RelayV1", rates, effectiveAt: null }));
  const { prices } = await showOperatorPrices(deps);
  const margins = prices.find(({ model }) => model === "RelayV1")?.margins.rates ?? [];
  expect(
    margins.map(({ unit, points, margin }) => [unit, Number(points), margin?.percent]),
  ).toEqual([
    ["input_token", 2, 50],
    ["input_token", 4, 25],
    ["output_token", 10, 50],
    ["output_token", 5, 80],
    ["output_token", 2, 50],
  ]);
  const alone = {
    currency: "USD",
    input: "1",
    output: "5",
    rates: [{ unit: "request", hours: night.hours, points: "1" }],
  };
  await expect(note("RelayV1", alone)).rejects.toMatchObject({ param: "rates[0]" });
});
