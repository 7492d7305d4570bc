import { expect, test } from "vitest";
import { openTestCommands, type TestCommands } from "@/testing/cli/commands";
import { words } from "@/testing/cli/words";
import { dayFromNow } from "@/testing/unit/day-from-now";
import { opened } from "@/testing/unit/opened";

const commands = await opened(openTestCommands());

test("channels, prices and vouchers are created and listed, no credential is shown, and the ledger's audit is clean", async () => {
  const { channel } = await commands.json(
    ...words`channel create --name main --protocol openai --base-url https://api.example.com/v1/ --api-key upstream-canary --models RelayV1=some-model --rps 0 --priority -1`,
  );
  expect(channel).toMatchObject({
    name: "main",
    base_url: "https://api.example.com/v1",
    models: { RelayV1: "some-model" },
    enabled: true,
    rps: 0,
    rpm: 600,
    priority: -1,
  });
  expect((await commands.json("channel disable --id", channel.id)).channels).toMatchObject([
    { id: channel.id, enabled: false },
  ]);
  expect((await commands.json("channel enable --id", channel.id)).channels).toMatchObject([
    { enabled: true },
  ]);
  const terms = ["--allow-fields", "thinking, top_k", "--output-cap", "none"];
  const edited = await commands.json(
    ...words`channel edit --id ${channel.id} --weight 7 --timeout-seconds 20`,
    ...terms,
  );
  expect(edited.channel).toMatchObject({
    weight: 7,
    timeout_seconds: 20,
    rps: 0,
    allowed_fields: ["thinking", "top_k"],
    output_cap: "none",
  });
  expect((await commands.json("channel show --id", channel.id)).channel).toMatchObject({
    weight: 7,
    in_flight: 0,
    last_error: null,
  });
  await commands.json(
    ...words`channel edit --id ${channel.id} --base-url http://127.0.0.1:1 --api-key another-canary`,
  );
  const tested = await commands.relay("channel test --id", channel.id, "--json");
  expect([tested.code, JSON.parse(tested.out).test.ok]).toEqual([1, false]);
  expect(JSON.stringify(await commands.json("channel list")) + tested.out).not.toContain("canary");
  expect((await commands.json("channel drain --id", channel.id)).channels).toMatchObject([
    { enabled: false, state: "draining" },
  ]);
  expect(await commands.json("channel remove --id", channel.id)).toEqual({
    id: channel.id,
    result: "deleted",
  });
  expect((await commands.json("price list")).prices).toHaveLength(8);
  const { prices } = await commands.json("price set --model relay-v1 --input 0.5 --output 12.25");
  expect(prices[0]).toMatchObject({ model: "RelayV1", input: 0.5, output: 12.25 });
  const effective = dayFromNow(400);
  const toCome = [
    "price",
    "set",
    "--model",
    "relay-v1",
    "--output",
    "13",
    "--effective",
    effective,
  ];
  expect((await commands.json(...toCome)).prices[0]).toMatchObject({
    model: "RelayV1",
    output: 12.25,
  });
  const { prices: upcoming } = await commands.json("price upcoming");
  expect(upcoming).toMatchObject([
    {
      model: "RelayV1",
      input: 0.5,
      output: 13,
      effective_at: `${effective}T00:00:00.000Z`,
      created_by: "cli",
    },
  ]);
  expect((await commands.json("price withdraw --id", upcoming[0].id)).prices).toEqual([]);
  const cost = [
    "price",
    "cost",
    "--model",
    "relay-v1",
    "--currency",
    "CNY",
    "--input",
    "0.8",
    "--output",
    "2",
  ];
  expect((await commands.json(...cost)).costs).toEqual([
    { subject: "RelayV1", currency: "CNY", input: 0.8, output: 2, other_rates: null },
  ]);
  expect((await commands.json("price preview --model relay-v1 --output 9")).preview).toMatchObject({
    requests: 0,
    at_new: 0,
  });
  expect((await commands.json("voucher create --points 5 --count 3")).vouchers).toHaveLength(3);
  expect(await commands.json("ledger audit")).toMatchObject({
    ok: true,
    checks: expect.any(Array),
    accounts: expect.any(Number),
    entries: expect.any(Number),
  });
}, 60_000);

test("an upstream's key comes from standard input or the environment; the variable alone changes no existing key", async () => {
  const create = (
    name: string,
    flags: Parameters<TestCommands["relayWith"]>[0],
    ...words: string[]
  ) => {
    const way = [
      "--protocol",
      "openai",
      "--base-url",
      "https://api.example.com/v1",
      "--models",
      "RelayV1=x",
    ];
    return commands.relayWith(
      flags,
      "channel",
      "create",
      "--name",
      name,
      ...way,
      ...words,
      "--json",
    );
  };
  const channelOf = (answer: { out: string }) => JSON.parse(answer.out).channel;
  const variables = { RELAY_UPSTREAM_KEY: "upstream-secret" };
  const made = channelOf(await create("by-variable", { variables }));
  expect(made.has_api_key).toBe(true);
  expect(
    channelOf(await create("by-stdin", { input: "upstream-secret\n" }, "--api-key", "-"))
      .has_api_key,
  ).toBe(true);
  const without = channelOf(await create("without", {}));
  expect(without.has_api_key).toBe(false);
  const renamed = await commands.relayWith(
    { variables },
    "channel",
    "edit",
    "--id",
    without.id,
    "--name",
    "still-without",
    "--json",
  );
  expect(channelOf(renamed).has_api_key).toBe(false);
  const flags = await commands.relayWith(
    { input: "later" },
    "channel",
    "edit",
    "--id",
    without.id,
    "--api-key-stdin",
    "--json",
  );
  expect(channelOf(flags).has_api_key).toBe(true);
}, 120_000);

test("further keys of a channel are added, changed and removed by name, and never shown", async () => {
  const { channel } = await commands.json(
    ...words`channel create --name several --protocol openai --base-url https://api.example.com/v1`,
    ...words`--api-key canary-1 --models RelayV1=x --credential-weight 4`,
  );
  const on = (verb: string, ...more: string[]) =>
    ["channel", verb, "--id", channel.id, "--name", ...more] as const;
  await commands.json(...on("set-credential", "spare", "--api-key", "canary-2", "--weight", "2"));
  await commands.json(...on("set-credential", "third", "--api-key", "canary-3"));
  const changed = await commands.json(...on("set-credential", "spare", "--weight", "9"));
  const setAt = expect.any(String);
  expect(changed.channel).toMatchObject({
    credential_weight: 4,
    credentials: [
      { name: "spare", weight: 9, set_at: setAt },
      { name: "third", weight: 1, set_at: setAt },
    ],
  });
  const left = await commands.json(...on("remove-credential", "third"));
  expect(left.channel.credentials).toHaveLength(1);
  const unknown = await commands.relay(...on("remove-credential", "third"));
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining("it has spare")]);
  const listed = await commands.relay("channel list");
  expect(listed.out).toContain("spare=9");
  expect(listed.out).not.toContain("canary");
  const edit = (headers: string) =>
    commands.relay("channel edit --id", channel.id, "--headers", headers, "--json");
  const edited = await edit('{"X-Region":"eu"}');
  expect(JSON.parse(edited.out).channel.headers).toEqual({ "x-region": "eu" });
  expect([(await edit("x-region: eu")).code, (await edit('{"cookie":"a"}')).code]).toEqual([2, 1]);
  expect(JSON.parse((await edit("{}")).out).channel.headers).toEqual({});
}, 120_000);

test("an upstream is tried in the situations of agents, and what does not work is a failure of the command", async () => {
  const address = ["--protocol", "openai", "--base-url", "http://127.0.0.1:1"];
  const named = ["--name", "tried", "--api-key", "tried-canary", "--models", "RelayV1=m"];
  const { channel } = await commands.json("channel create", ...named, ...address);
  const conformed = await commands.relay("channel conform --channel", channel.id, "--json");
  expect(conformed.code).toBe(1);
  expect(JSON.parse(conformed.out)).toMatchObject({
    channel: channel.id,
    situations: expect.arrayContaining([
      { situation: "plain", result: "failed", detail: expect.any(String) },
    ]),
  });
  expect(conformed.out).not.toContain("canary");
  const other = await commands.relay("channel conform --channel", channel.id, "--model", "x");
  expect([other.code, other.err]).toMatchObject([1, /does not offer x: it offers RelayV1/]);
});
