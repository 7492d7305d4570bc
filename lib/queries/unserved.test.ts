import { expect, test } from "vitest";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { builtInModels as models } from "../catalog/built-in";
import { createChannel, setChannelState } from "../commands/channels";
import type { ServedBy } from "../contract/states";
import { listUnserved } from "./unserved";

const site = await opened(startSiteProcess());

test("models that nobody answers are listed, with whether a channel offers them all the same", async () => {
  const { deps } = site;
  const channel = await createChannel(deps, "test", {
    name: "off",
    protocol: "openai",
    baseUrl: "https://api.example.com/v1",
    apiKey: null,
    models: { RelayV1: "theirs" },
  });
  await setChannelState(deps, "test", { id: channel.id, state: "disabled" });
  const listed = (servedBy: (model: string) => ServedBy) =>
    listUnserved({ database: deps.database, servedBy });
  expect(await listed(() => "sandbox")).toEqual([]);
  expect(await listed((model) => (model === "RelayV1" ? "nobody" : "channel"))).toEqual([
    { model: "RelayV1", hasChannel: true },
  ]);
  const all = await listed(() => "nobody");
  expect(all).toHaveLength(models.length);
  expect(all.filter(({ hasChannel }) => hasChannel)).toHaveLength(1);
});
