import { afterAll, beforeAll, expect, test } from "vitest";
import type { Call } from "../site/call";
import { noteOneUpstreamPrice, previewOnePrice, setOnePrice } from "./prices";
import { type OperatorProcess, startOperatorProcess } from "./testing-operator";

let own: OperatorProcess;
beforeAll(async () => {
  own = await startOperatorProcess();
});
afterAll(() => own.site.close());

test("a price that cannot be read is refused by its name, never taken as free", async () => {
  const { parts } = own.site;
  const call = <Body>(body: Body) => ({ parts, body, user: () => own.operator }) as unknown as Call<Body>;
  const versions = () => parts.database.priceVersion.count();
  const before = await versions();
  for (const [input, output, param] of [
    ["80", "free", "output"],
    ["", "800", "input"],
    ["1e3", "800", "input"],
  ] as const) {
    const refused = { code: "invalid_value", param };
    const body = { model: "RelayV1", input, output };
    await expect(setOnePrice(call({ ...body, effectiveAt: null }))).rejects.toMatchObject(refused);
    await expect(previewOnePrice(call(body))).rejects.toMatchObject(refused);
    const price = { currency: "CNY", input, output };
    await expect(noteOneUpstreamPrice(call({ subject: "RelayV1", price }))).rejects.toMatchObject(refused);
  }
  expect(await versions()).toBe(before);
});
