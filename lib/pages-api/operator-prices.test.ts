import { expect, test } from "vitest";
import { startOperatorProcess } from "@/testing/pages-api/operator-process";
import { opened } from "@/testing/unit/opened";
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
