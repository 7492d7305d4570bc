/** An image model that is billed per image by quality and size: from the command that makes it to its bill. */
import { expect, test } from "vitest";
import { faultsOf } from "@/testing/ledger/faults-of";
import { pngOf } from "@/testing/media/files";
import { openPricedRelay } from "@/testing/relay/priced-relay";
import { billFor, changeSold, chargeAt, sellModel } from "@/testing/relay/sold-model";
import { opened } from "@/testing/unit/opened";
import { findModel } from "../../catalog/models";
import { createModel } from "../../commands/models";
import { answerRequest } from "../../http/fetch-lane";

/** A multiplier at which almost every price needs rounding. */
const PPM = 873_457;
const SIZES = ["1024x1024", "1536x1024"];
const points: Readonly<Record<string, readonly [number, number]>> = {
  standard: [8.000_001, 12.345_678],
  high: [20, 30.5],
};
const ratesOf = (qualities: readonly string[]) =>
  qualities.flatMap((quality) =>
    SIZES.map((size, at) => ({ unit: "image", size, quality, points: points[quality]?.[at] ?? 0 })),
  );
const request = { unit: "request", points: 0.000_003 };
const file = {
  id: "acme-image",
  family: "image",
  spec: { sizes: SIZES, qualities: ["standard", "high"], reference_images_max: 2 },
  rates: [...ratesOf(["standard", "high"]), request],
};

let charged = 0n;
const site = await opened(openPricedRelay(PPM));
await sellModel(site.relay, file);

const picture = `data:image/png;base64,${"A".repeat(64)}`;
const generation = { endpoint: "createImage", path: "/images/generations" };
const edit = { endpoint: "createImageEdit", path: "/images/edits" };

test.each([
  ["the default of both", generation, {}, SIZES[0], "standard"],
  ["auto for both", generation, { quality: "auto", size: "auto" }, SIZES[0], "standard"],
  ["a quality", generation, { quality: "high" }, SIZES[0], "high"],
  ["a size", generation, { size: SIZES[1] }, SIZES[1], "standard"],
  ["both", generation, { quality: "high", size: SIZES[1] }, SIZES[1], "high"],
  ["the ratio of a size", generation, { quality: "high", ratio: "3:2" }, SIZES[1], "high"],
  ["an edit", edit, { image: picture }, SIZES[0], "standard"],
  ["an edit in a quality", edit, { image: picture, quality: "high" }, SIZES[0], "high"],
] as const)(
  "%s: quote, hold, charge, receipt and rows agree to the micropoint",
  async (_, at, body, size = "", quality) => {
    const each = points[quality]?.[SIZES.indexOf(size)] ?? 0;
    const due = chargeAt(PPM, BigInt(Math.round(each * 1e6)) + 3n);
    const bill = await billFor(site, { ...at, body: { model: file.id, prompt: "A fox", ...body } });
    const { quoted, quotedHold, held, settled, normalized } = bill;
    expect([quoted, quotedHold, held, settled]).toEqual([due, due, due, due]);
    expect(bill.lines).toEqual([`image ${size} ${quality} 1 × ${each}`, "request 1 × 0.000003"]);
    expect(bill.quoteLines).toEqual(bill.lines);
    expect(normalized).toMatchObject({ size, quality, n: 1 });
    charged += settled;
  },
);

function sendForm(more: Readonly<Record<string, string>>): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ model: file.id, prompt: "A fox", ...more }))
    form.set(name, value);
  form.set("image", new Blob([new Uint8Array(pngOf(64, 64))], { type: "image/png" }), "a.png");
  const request = new Request("http://relay.test/v1/images/edits", {
    method: "POST",
    headers: { authorization: "Bearer good" },
    body: form,
  });
  return answerRequest(site.relay.find, request);
}

test("a form with a file is billed by the quality that it names", async () => {
  const answer = await sendForm({ quality: "high" });
  expect([answer.status, answer.headers.get("x-relay-points")]).toEqual([200, "20.000003"]);
  charged += 20_000_003n;
});

test("an edit by form with async is made from its file", async () => {
  const answer = await sendForm({ quality: "high", async: "true" });
  const { id } = (await answer.json()) as { id: string };
  const statusOf = async () =>
    (await site.relay.send(`/v1/images/generations/${id}`)).json.status as string;
  await expect.poll(statusOf, { timeout: 20_000 }).toMatch(/succeeded|failed/);
  expect([answer.status, await statusOf()]).toEqual([202, "succeeded"]);
  charged += 20_000_003n;
});

const refusal = async (path: string, body: object) => {
  const known = (await site.relay.ends()).length;
  const { status, json } = await site.relay.send(`/v1${path}`, {
    body: JSON.stringify({ model: file.id, prompt: "A fox", ...body }),
  });
  expect((await site.relay.ends()).length).toBe(known);
  expect((await site.relay.balance()).held).toBe(0n);
  return [status, json.error?.code, json.error?.param, json.error?.message];
};
const UNSUPPORTED = "unsupported_value";

test.each<[string, object, string, string, string]>([
  [
    "another quality",
    { quality: "ultra" },
    UNSUPPORTED,
    "quality",
    '"ultra": acme-image allows standard, high',
  ],
  [
    "a word of client libraries",
    { quality: "hd" },
    UNSUPPORTED,
    "quality",
    "allows standard, high",
  ],
  ["a quality in capitals", { quality: "HIGH" }, UNSUPPORTED, "quality", '"HIGH"'],
  ["a quality of the language", { quality: "constructor" }, UNSUPPORTED, "quality", "allows"],
  ["no quality at all", { quality: "" }, UNSUPPORTED, "quality", "allows standard, high"],
  ["a number", { quality: 1 }, "invalid_value", "quality", "quality"],
  ["a long text", { quality: "x".repeat(41) }, "invalid_value", "quality", "quality"],
  ["another size", { size: "1024x1536" }, UNSUPPORTED, "size", "allows 1024x1024, 1536x1024"],
  ["another ratio", { ratio: "16:9" }, UNSUPPORTED, "ratio", "it must be one of 1:1, 3:2"],
  ["two images", { n: 2, quality: "high" }, "n_not_supported", "n", "one image"],
])(
  "%s is refused by both routes and by the quote, and nothing is held",
  async (_, body, ...said) => {
    const [code, param, words] = said;
    const expected = [400, code, param, expect.stringContaining(words)];
    expect(await refusal("/images/generations", body)).toEqual(expected);
    expect(await refusal("/images/edits", { image: picture, ...body })).toEqual(expected);
    expect(await refusal("/quote", { endpoint: "createImage", ...body })).toEqual(expected);
  },
);

test("the statement and the audit agree with every charge, by quality", async () => {
  interface Statement {
    readonly charges: string;
    readonly units: readonly object[];
  }
  const { charges, units } = await site.page<Statement>("showStatement");
  expect(BigInt(Math.round(Number(charges) * 1e6))).toBe(charged);
  const model = file.id;
  expect(units).toEqual([
    { model, unit: "image_token", quantity: expect.any(Number) },
    { model, unit: "image", quality: "high", quantity: 6 },
    { model, unit: "image", quality: "standard", quantity: 4 },
    { model, unit: "input_image", quantity: 4 },
    { model, unit: "request", quantity: 10 },
  ]);
  expect(await faultsOf(site.relay.pool)).toEqual([]);
});

test("a quality that a later version withdraws is billed, for what runs, as it was quoted", async () => {
  const later = { ...file, spec: { ...file.spec, qualities: ["standard"] } };
  const standardAt9 = ratesOf(["standard"]).map((rate) => ({ ...rate, points: 9 }));
  const body = { model: file.id, prompt: "A fox [[delay:2]]", quality: "high" };
  const due = chargeAt(PPM, 20_000_003n);
  const bill = await billFor(site, {
    ...generation,
    body,
    async meanwhile() {
      const { pool } = site.relay;
      const open = "select 1 from open_request";
      await expect.poll(async () => (await pool.query(open)).rowCount, { timeout: 10_000 }).toBe(1);
      await changeSold(site.relay, { ...later, rates: standardAt9 });
      expect((await pool.query(open)).rowCount).toBe(1);
      const sent = { ...body, endpoint: "createImage" };
      const { json } = await site.relay.send("/v1/quote", { body: JSON.stringify(sent) });
      expect(json.error?.message).toContain("acme-image allows standard.");
      expect((await pool.query(open)).rowCount).toBe(1);
    },
  });
  expect([bill.quoted, bill.held, bill.settled]).toEqual([due, due, due]);
  expect(bill.lines[0]).toBe("image 1024x1024 high 1 × 20");
  const next = await billFor(site, { ...generation, body: { ...body, quality: "auto" } });
  expect(next.settled).toBe(chargeAt(PPM, 9_000_000n));
});

test.each<[string, object, RegExp]>([
  [
    "a default of another quality",
    { qualities: ["a"], quality_default: "b" },
    /spec\.quality_default is "b": it must be one of/,
  ],
  ["a default without qualities", { quality_default: "b" }, /spec\.quality_default is "b"/],
  ["no qualities in the list", { qualities: [] }, /spec\.qualities is \[\]/],
  ["a quality twice", { qualities: ["a", "a"] }, /it must not name one twice/],
  ["nine qualities", { qualities: [..."abcdefghi"] }, /spec\.qualities/],
  ["a quality with a space", { qualities: ["a b"] }, /only letters, digits/],
  ["auto as a quality", { qualities: ["auto"] }, /auto means the default/],
  ["a size twice", { sizes: ["64x64", "64x64"] }, /spec\.sizes is .*it must not name one twice/],
  ["a size with a side too short", { sizes: ["63x64"] }, /spec\.sizes/],
  ["a size with a zero in front", { sizes: ["064x64"] }, /spec\.sizes/],
  ["41 sizes", { sizes: Array.from({ length: 41 }, (_, at) => `64x${64 + at}`) }, /spec\.sizes/],
  ["no sizes and no default", { sizes: {} }, /spec\.size_default is missing/],
  [
    "a default that is not listed",
    { size_default: "128x128" },
    /spec\.size_default is "128x128": it must be one of the sizes|outside/,
  ],
])("a model's file with %s is refused", async (_, spec, reason) => {
  const content = { id: "acme-no", family: "image", spec: { sizes: ["64x64", "128x64"], ...spec } };
  await expect(createModel(site.relay, "test", content)).rejects.toThrow(reason);
  expect(findModel("acme-no")).toBeUndefined();
});

test("every quality in every size needs a rate, and no rate names a quality that the model lacks", async () => {
  const spec = { sizes: SIZES, qualities: ["standard", "high"] };
  const made = (id: string, rates: object[]) => sellModel(site.relay, { ...file, id, spec, rates });
  const some = ratesOf(["standard", "high"]).slice(1);
  await expect(made("acme-gap", some)).rejects.toThrow(
    "no rate for image size=1024x1024 quality=standard",
  );
  await expect(made("acme-more", ratesOf(["ultra"]))).rejects.toThrow(
    "`rates[0]` is for the quality ultra: acme-more has the qualities standard, high.",
  );
  const { qualities: _, ...without } = spec;
  await expect(sellModel(site.relay, { ...file, id: "acme-none", spec: without })).rejects.toThrow(
    "acme-none has no qualities: name them in its spec first.",
  );
});
