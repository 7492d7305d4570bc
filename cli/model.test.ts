/** A model's life by the command line, on an installation of its own. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestCommands } from "@/testing/cli/commands";
import { words } from "@/testing/cli/words";
import { dayFromNow } from "@/testing/unit/day-from-now";
import { newFolder } from "@/testing/unit/new-folder";
import { opened } from "@/testing/unit/opened";
import { saying, sendJson, startUpstream, usageOf } from "@/testing/upstream/test-upstream";

const folder = newFolder("models");
const commands = await opened(openTestCommands());

function fileOf(content: unknown): string {
  const path = join(folder, `${crypto.randomUUID()}.json`);
  writeFileSync(path, JSON.stringify(content));
  return path;
}
const rates = [
  { unit: "input_token", points: 100 },
  { unit: "output_token", points: 900.5 },
];
const acme = (id: string, more: object = {}) => ({
  id,
  family: "text",
  spec: { output_tokens_max: 8192 },
  rates,
  ...more,
});
const create = (content: unknown) => commands.relay("model create --from", fileOf(content));
const made = async (content: unknown) => expect(await create(content)).toMatchObject({ code: 0 });
const change = (id: string, content: unknown) =>
  commands.relay("model change --id", id, "--from", fileOf(content));
const stateOf = async (id: string) => (await commands.json("model show --id", id)).model;
const ANYWAY = ["--anyway", "no upstream yet"];

test("a model is offered with rates, a channel and a test that worked, and not before", async () => {
  await made(acme("acme-one", { rates: undefined, aliases: ["acme"] }));
  const offer = () => commands.relay("model offer --id acme-one");
  expect((await offer()).err).toMatch(/has no rates/);
  await commands.json("price set --model acme --rates", fileOf(rates));
  expect((await offer()).err).toMatch(/No active channel maps acme-one/);
  const upstream = await startUpstream(saying("hello", usageOf(3, 2)));
  const { channel } = await commands.json(
    ...words`channel create --name acme --protocol openai --base-url ${upstream.url} --models acme-one=theirs`,
  );
  expect((await offer()).err).toMatch(/No test of acme-one has worked: test channel/);
  await commands.relay("channel test --id", channel.id, "--model", "acme-one");
  expect(await offer()).toMatchObject({ code: 0 });
  expect(await stateOf("ACME")).toMatchObject({ id: "acme-one", state: "offered", version: 1 });
  await upstream.close();
});

test("a change is a new version, and what its file leaves out stays", async () => {
  await made(acme("acme-two", { aliases: ["two"] }));
  const changed = acme("acme-two", { spec: { output_tokens_max: 10 }, rates: undefined });
  expect(await change("two", changed)).toMatchObject({ code: 0 });
  const { model, file } = await commands.json("model show --id acme-two");
  expect(model).toMatchObject({ aliases: ["two"], version: 2, state: "draft" });
  expect(file).toMatchObject({ spec: { output_tokens_max: 10 }, rates: [{}, {}] });
  expect((await change("two", changed)).err).toMatch(/already as the file has it/);
  // What is shown can be given back.
  expect(await change("two", { ...file, aliases: [] })).toMatchObject({ code: 0 });
  expect(await stateOf("two")).toMatchObject({ id: "acme-two", aliases: [], version: 3 });
});

/** A text model, a video model by the second and an image model by quality, each as a person writes it. */
const written = [
  `{"id":"example-large","family":"text","aliases":["example"],"names":{"en":{"title":"Acme Large","sentence":"Long context."},"zh-CN":{"title":"Acme Large","sentence":"长上下文。"}},
 "spec":{"output_tokens_max":8192,"context_tokens":128000},
 "rates":[{"unit":"input_token","points":100},{"unit":"cached_input_token","points":10},{"unit":"output_token","points":900}]}`,
  `{"id":"example-video","family":"video","spec":{"durations":[4,8],"resolutions":["720p"],"ratios":["16:9","9:16"]},
 "rates":[{"unit":"second","resolution":"720p","audio":false,"points":30},{"unit":"request","points":1}]}`,
  `{"id":"example-image","family":"image","spec":{"sizes":["1024x1024"],"qualities":["standard","high"]},
 "rates":[{"unit":"image","size":"1024x1024","quality":"standard","points":8},{"unit":"image","size":"1024x1024","quality":"high","points":20}]}`,
];
/** Those of the operators' documentation too. */
const documented = readFileSync(join(import.meta.dirname, "../docs/operating.md"), "utf8")
  .split("```")
  .filter((block) => block.startsWith("json") && block.includes('"family"'))
  .map((block) => block.slice("json".length).replaceAll('"acme', '"documented'));

test("files of every family are taken as they are written, and what is shown is the same again", async () => {
  expect(documented.length).toBeGreaterThan(1);
  for (const text of [...written, ...documented]) {
    const content = JSON.parse(text);
    await made(content);
    const { file } = await commands.json("model show --id", content.id);
    expect(file).toMatchObject({ ...content, rates: content.rates.map(() => expect.anything()) });
    const amounts = file.rates.map(({ points }: { points: string }) => Number(points)).sort();
    expect(amounts).toEqual(content.rates.map(({ points }: { points: number }) => points).sort());
    expect((await change(content.id, content)).err).toMatch(/already as the file has it/);
    expect((await change(content.id, file)).err).toMatch(/already as the file has it/);
    expect(await commands.relay("model offer --id", content.id, ...ANYWAY)).toMatchObject({
      code: 0,
    });
  }
});

test("what is built in keeps its names and limits, and can be hidden", async () => {
  const { file } = await commands.json("model show --id Super-Relay2.5");
  const longer = { ...file, spec: { ...file.spec, durations: { min: 1, max: 60, default: 5 } } };
  expect((await change("Super-Relay2.5", longer)).err).toMatch(/is built in: .* are fixed/);
  const renamed = await change("Super-Relay2.5", { ...file, aliases: ["mine"] });
  expect(renamed.err).toMatch(/is built in/);
  await commands.json("model retire --id Super-Relay2.5");
  expect(await stateOf("Super-Relay2.5")).toMatchObject({ state: "retired" });
  await commands.json("model restore --id Super-Relay2.5", ...ANYWAY);
  expect(await stateOf("Super-Relay2.5")).toMatchObject({ state: "offered" });
});

test("a model retires at a date or now, in favour of one that is offered", async () => {
  await made(acme("acme-old"));
  const retire = (...words: string[]) => commands.relay("model retire --id acme-old", ...words);
  expect((await retire()).err).toMatch(/acme-old is draft: it must be offered or retiring/);
  await commands.json("model offer --id acme-old", ...ANYWAY);
  expect((await retire("--on", "2020-01-01")).err).toMatch(/must be in the future/);
  expect((await retire("--replaced-by", "nothing")).err).toMatch(/there is no such model/);
  expect((await retire("--replaced-by", "acme-old")).err).toMatch(/name another model/);
  const day = dayFromNow(40);
  const last = ["--on", day, "--replaced-by", "relay-v1"];
  expect(await retire(...last)).toMatchObject({ code: 0 });
  const retiring = { state: "retiring", retires_at: Date.parse(day) / 1000 };
  expect(await stateOf("acme-old")).toMatchObject({ ...retiring, replaced_by: "RelayV1" });
  expect(await retire()).toMatchObject({ code: 0 });
  expect(await stateOf("acme-old")).toMatchObject({ state: "retired", replaced_by: null });
  expect((await create(acme("Acme-Old"))).err).toMatch(/keeps it/);
});

test.each<[string, object, RegExp]>([
  ["an id with a space", acme("a b"), /id is "a b": it must have only letters/],
  ["an id that is a folder", acme(".."), /id is "\.\.": it must have a letter/],
  ["a taken id", acme("RelayV1"), /id has RelayV1: another model/],
  ["a taken alias", acme("new-1", { aliases: ["RELAY-v1"] }), /aliases has relay-v1/],
  ["a reserved id", acme("point"), /the price of a point/],
  ["no limit of output", acme("new-2", { spec: {} }), /spec\.output_tokens_max is missing/],
  ["an unknown limit", acme("new-3", { spec: { output_tokens_max: 1, x: 1 } }), /spec is .*x/],
  ["another family", acme("new-4", { family: "sound" }), /family is "sound"/],
  [
    "a rate of another family",
    acme("new-5", { rates: [{ unit: "second", points: 1 }] }),
    /rates\[0\]/,
  ],
])("a file with %s is refused, and leaves nothing", async (_, content, reason) => {
  const before = (await commands.json("model list")).models;
  const { code, err } = await create(content);
  expect([code === 0, err]).toEqual([false, expect.stringMatching(reason)]);
  expect((await commands.json("model list")).models).toEqual(before);
});

test("models are imported from an upstream's list, with a margin, as drafts that its channel maps", async () => {
  const priced = {
    rates: [
      { unit: "request", points: 2 },
      { unit: "second", points: 0.1 },
    ],
  };
  const video = {
    id: "their-video",
    family: "video",
    capabilities: { duration_seconds_min: 2, duration_seconds_max: 9, resolutions: ["720p"] },
    pricing: priced,
  };
  const data = [video, { id: "their-text", context_length: 4096 }, { id: "bare" }, 7, { id: {} }];
  const upstream = await startUpstream((response) => sendJson(response, JSON.stringify({ data })));
  const { channel } = await commands.json(
    ...words`channel create --name list --protocol openai --base-url ${upstream.url} --models RelayV1=theirs`,
  );
  const ask = ["model", "import", "--channel", channel.id];
  expect((await commands.json(...ask)).models).toMatchObject([
    { upstream_name: "their-video", family: "video", has_price: true },
    { upstream_name: "their-text", family: "text", has_price: false },
    { upstream_name: "bare" },
  ]);
  const pairs = (text: string) => [...ask, "--models", text, "--margin", "30"];
  // All or none.
  const bare = await commands.relay(...pairs("in-video=their-video,in-bare=bare"));
  expect(bare.err).toMatch(/output_tokens_max is missing/);
  expect((await commands.relay(...pairs("a=none"))).err).toMatch(/does not list/);
  await commands.json(...pairs("in-video=their-video"));
  await commands.json(...pairs("in-text=their-text"), "--input", "10", "--output", "0.000001");
  const shown = async (id: string) => commands.json("model show --id", id);
  expect(await shown("in-video")).toMatchObject({
    model: { state: "draft" },
    file: {
      spec: { durations: { min: 2, max: 9, default: 2 } },
      rates: [
        { unit: "second", points: "0.130000" },
        { unit: "request", points: "2.600000" },
      ],
    },
  });
  // Rounded up, as a charge is.
  expect((await shown("in-text")).file.rates).toMatchObject([
    { points: "13.000000" },
    { points: "0.000002" },
  ]);
  expect((await commands.json("channel show --id", channel.id)).channel.models).toEqual({
    RelayV1: "theirs",
    "in-video": "their-video",
    "in-text": "their-text",
  });
  await upstream.close();
});

test("a channel is mapped to one model more, and keeps the others", async () => {
  await made(acme("acme-mapped"));
  const { channel } = await commands.json(
    ...["channel", "create", "--name", "mapped", "--protocol", "openai"],
    ...["--base-url", "https://api.example.com/v1", "--models", "RelayV1=theirs"],
  );
  const map = (...words: string[]) => commands.relay("model map --channel", channel.id, ...words);
  const models = async () => (await commands.json("channel show --id", channel.id)).channel.models;
  expect(await map("--id", "acme-mapped", "--upstream-model", "new")).toMatchObject({ code: 0 });
  expect(await models()).toEqual({ RelayV1: "theirs", "acme-mapped": "new" });
  expect((await map("--id", "super-relay", "--upstream-model", "two words")).err).toMatch(
    /without spaces/,
  );
  expect(await map("--id", "RelayV1", "--upstream-model", "none")).toMatchObject({ code: 0 });
  expect((await map("--id", "acme-mapped", "--upstream-model", "none")).err).toMatch(
    /at least one model/,
  );
  expect(await models()).toEqual({ "acme-mapped": "new" });
});

test("a price that leaves out what can be ordered is not whole", async () => {
  const second = (resolution: string) => ({ unit: "second", resolution, points: 30 });
  const spec = { durations: [4, 8], resolutions: ["720p", "1080p"] };
  await made({ id: "acme-video", family: "video", spec, rates: [second("720p")] });
  const offer = () => commands.relay("model offer --id acme-video", ...ANYWAY);
  expect((await offer()).err).toMatch(/no rate for second resolution=1080p/);
  const whole = [second("720p"), second("1080p")];
  await commands.json("price set --model acme-video --rates", fileOf(whole));
  expect(await offer()).toMatchObject({ code: 0 });
});

test("what is offered keeps a rate for all that can be ordered, whichever of the two changes", async () => {
  const second = (resolution: string) => ({ unit: "second", resolution, points: 30 });
  const spec = { durations: [4, 8], resolutions: ["720p"] };
  const id = "acme-whole";
  await made({ id, family: "video", spec, rates: [second("720p")] });
  await commands.json("model offer --id", id, ...ANYWAY);
  const wider = { id, family: "video", spec: { ...spec, resolutions: ["720p", "1080p"] } };
  const widen = (rates?: object[]) =>
    commands.relay(
      ...words`model change --id ${id} --from ${fileOf({ ...wider, ...(rates && { rates }) })}`,
    );
  expect((await widen()).err).toMatch(/no rate for second resolution=1080p/);
  expect(await widen([second("720p"), second("1080p")])).toMatchObject({ code: 0 });
  const set = (rates: object[], ...more: string[]) =>
    commands.relay("price set --model", id, "--rates", fileOf(rates), ...more);
  expect((await set([second("1080p")])).err).toMatch(/no rate for second resolution=720p/);
  const later = new Date(Date.now() + 86_400_000).toISOString();
  expect((await set([second("1080p")], "--effective", later)).err).toMatch(
    new RegExp(`no rate for second resolution=720p audio=false from ${later} on`),
  );
});
