/** A channel offers only models of the families that its protocol supports. */
import { expect, test } from "vitest";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import type { ChannelProtocol } from "../contract/states";
import { changeChannel, createChannel } from "./channels";

const site = await opened(startSiteProcess());

const create = (protocol: ChannelProtocol, models: Record<string, string>) =>
  createChannel(site.deps, "test", {
    name: `${protocol} ${Object.keys(models).join(" ")}`,
    protocol,
    baseUrl: "https://api.example.com/v1",
    apiKey: null,
    models,
  });
const TEXT = { RelayV1: "claude" };
const refused = (model: string, family: string) => ({
  code: "invalid_value",
  param: "models",
  message: `models has ${model}, a ${family} model: a channel of the protocol anthropic allows models of text.`,
});

test("a model that the protocol cannot carry is refused, with what can be had", async () => {
  await expect(create("anthropic", { ...TEXT, "super-relay-2": "v" })).rejects.toMatchObject(
    refused("super-relay-2", "video"),
  );
  await expect(create("anthropic", { "Super-Relay-Image": "i" })).rejects.toMatchObject(
    refused("Super-Relay-Image", "image"),
  );
  const all = { ...TEXT, "Super-Relay2.0": "v", "Super-Relay-Image": "i" };
  for (const protocol of ["openai", "ark", "relay"] as const)
    expect((await create(protocol, all)).models).toEqual(all);
});

test("a model that a channel has already may stay, and no other may come", async () => {
  const { id } = await create("anthropic", TEXT);
  const { database } = site.deps;
  const old = { ...TEXT, "Super-Relay2.0": "v" };
  await database.channel.update({ where: { id }, data: { models: old } });
  const change = (models: Record<string, string>) =>
    changeChannel(site.deps, "test", { id, models });
  expect((await change({ ...old, "super-relay-2": "w" })).models).toEqual({
    ...TEXT,
    "Super-Relay2.0": "w",
  });
  await expect(change({ ...old, "Super-Relay-Image": "i" })).rejects.toMatchObject(
    refused("Super-Relay-Image", "image"),
  );
  expect((await change(TEXT)).models).toEqual(TEXT);
  await expect(change(old)).rejects.toMatchObject(refused("Super-Relay2.0", "video"));
});
