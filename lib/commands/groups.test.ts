import { expect, test } from "vitest";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { signUp } from "../accounts/sign-up";
import { GROUP_MODELS_MAX, GROUPS_MAX } from "../contract/limits";
import { hiddenModels, listPrices } from "../queries/prices";
import { changeAccountGroup } from "./account-group";
import { changeMultiplier } from "./accounts";
import { closeAccount } from "./close-account";
import { changeGroup, createGroup, deleteGroup } from "./groups";

let made = 0;
const actor = "user_op";
const site = await opened(startSiteProcess());

const terms = (change: object = {}) => ({
  name: `Group ${++made}`,
  multiplierPpm: 850_000,
  models: [],
  modelMultipliers: [],
  ...change,
});
const newGroup = (change: object = {}) => createGroup(site.deps, actor, terms(change));
const newUser = () =>
  signUp(site.deps, {
    email: `member${++made}@example.com`,
    password: "correct horse battery",
    address: "192.0.2.1",
  });
const join = (accountId: string, groupId: string | null) =>
  changeAccountGroup(site.deps, actor, { accountId, groupId, reason: "Because" });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error) => `${error.code} ${error.param}`,
  );
const recorded = async (subject: string) =>
  (
    await site.deps.database.operatorAction.findMany({
      where: { subject, actor },
      orderBy: { id: "asc" },
    })
  ).map(({ action, detail }) => ({ action, detail }));

test.each([
  ["no name", { name: "  " }, "invalid_value name"],
  ["a long name", { name: "x".repeat(61) }, "invalid_value name"],
  ["a model that is none", { models: ["none"] }, "model_not_found models"],
  [
    "a multiplier of no model",
    { modelMultipliers: [{ model: "none", multiplierPpm: 1 }] },
    "model_not_found model_multipliers",
  ],
  [
    "too many models",
    { models: Array(GROUP_MODELS_MAX + 1).fill("RelayV1") },
    "invalid_value models",
  ],
])("a group with %s is refused", async (_, change, code) => {
  expect(await codeOf(newGroup(change))).toBe(code);
});

test("a name is unique in whatever case, and models are stored by their identifiers", async () => {
  const { id } = await newGroup({
    name: " Gold  partners ",
    models: ["relay-v1", "RelayV1"],
    modelMultipliers: [{ model: "relay-v1", multiplierPpm: 5 }],
  });
  expect(await codeOf(newGroup({ name: "gold PARTNERS" }))).toBe("already_exists name");
  await changeGroup(site.deps, actor, { id, multiplierPpm: null });
  await changeGroup(site.deps, actor, { id, multiplierPpm: null });
  const told = {
    name: "Gold partners",
    models: ["RelayV1"],
    modelMultipliers: { RelayV1: "0.000005" },
  };
  expect(await recorded(id)).toEqual([
    { action: "group.create", detail: { after: { ...told, multiplier: "0.85" } } },
    {
      action: "group.change",
      detail: {
        before: { ...told, multiplier: "0.85" },
        after: { ...told, multiplier: null },
      },
    },
  ]);
});

test("a group with accounts is not deleted; a closed account leaves it", async () => {
  const [{ id }, { accountId }] = [await newGroup(), await newUser()];
  await join(accountId, id);
  expect(await codeOf(deleteGroup(site.deps, actor, { id }))).toBe("invalid_value id");
  const bare = site.deps.pool.query("delete from account_group where id = $1", [id]);
  await expect(bare).rejects.toMatchObject({ code: "23503" });
  await closeAccount(site.deps, actor, { accountId });
  expect(await codeOf(join(accountId, id))).toBe("invalid_value group");
  await deleteGroup(site.deps, actor, { id });
  expect(await codeOf(join((await newUser()).accountId, id))).toBe("not_found null");
});

test("of joining and deleting at once, one is refused", async () => {
  for (let round = 0; round < 10; round++) {
    const [{ id }, { accountId }] = [await newGroup(), await newUser()];
    const [joined, deleted] = await Promise.all([
      codeOf(join(accountId, id)),
      codeOf(deleteGroup(site.deps, actor, { id })),
    ]);
    expect([
      ["done", "invalid_value id"],
      ["not_found null", "done"],
    ]).toContainEqual([joined, deleted]);
  }
});

test("a price list has what the account sees at its own price, and its own multiplier wins", async () => {
  const { id } = await newGroup({
    models: ["RelayV1", "Super-Relay"],
    modelMultipliers: [{ model: "RelayV1", multiplierPpm: 500_000 }],
  });
  const [{ accountId }, stranger] = [await newUser(), await newUser()];
  await join(accountId, id);
  const ownOf = async (account: string) =>
    (await listPrices(site.deps, account)).map(({ model, own }) => [model, own?.multiplier]);
  expect(await ownOf(accountId)).toEqual([
    ["RelayV1", "0.5"],
    ["Super-Relay", "0.85"],
  ]);
  const all = await listPrices(site.deps, null);
  expect(await ownOf(stranger.accountId)).toEqual(all.map(({ model }) => [model, "1"]));
  expect(await hiddenModels(site.deps, accountId)).toHaveLength(all.length - 2);
  expect(await hiddenModels(site.deps, stranger.accountId)).toEqual([]);
  const change = { accountId, model: null, multiplierPpm: 900_000, reason: "A contract" };
  await changeMultiplier(site.deps, actor, change);
  expect(await ownOf(accountId)).toEqual([
    ["RelayV1", "0.9"],
    ["Super-Relay", "0.9"],
  ]);
});

test("there are at most so many groups", async () => {
  const codes: string[] = [];
  for (let count = 0; count <= GROUPS_MAX; count++) codes.push(await codeOf(newGroup()));
  expect(codes.at(-1)).toBe("invalid_value name");
  expect(await site.deps.database.accountGroup.count()).toBe(GROUPS_MAX);
});
