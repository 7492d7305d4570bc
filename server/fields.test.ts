/** The page of fields, and the fields that the types of real clients have. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtInModels } from "@/lib/catalog/built-in";
import { catalogueOf, replaceCatalogue } from "@/lib/catalog/models";
import { fieldTables } from "@/testing/fields/documented";
import { fieldsText, sharePassed } from "@/testing/fields/table";
import { membersOf } from "@/testing/fields/types-of-clients";
import { seriesModel } from "@/testing/relay/image-series";
import { wholeTextModel } from "@/testing/relay/whole-text";
import { wholeModel } from "@/testing/relay/whole-video";

const models = [...builtInModels, wholeModel(), seriesModel(), wholeTextModel()];
replaceCatalogue(catalogueOf(models));

test("docs/fields.md is the table of what becomes of each field", async () => {
  await expect(await fieldsText()).toMatchFileSnapshot("../docs/fields.md");
});

test.each(fieldTables.map(({ name }) => name))(
  "at least 95 of 100 documented fields of %s are passed or priced",
  async (name) => {
    expect(await sharePassed([name])).toBeGreaterThanOrEqual(95);
  },
);

const modules = join(import.meta.dirname, "../node_modules");

const declaredIn = (file: string, type: string) =>
  membersOf(readFileSync(join(modules, file), "utf8"), type);

/** The fields of an interface that the types of a client have, by their first names. */
const inTable = (interfaceName: string, client: string): string[] => {
  const table = fieldTables.find(({ name }) => name === interfaceName);
  const fields = table?.fields.filter(({ clients }) => clients.some((each) => each === client));
  return [...new Set(fields?.map(({ field }) => field.split(/[,.]/)[0] ?? ""))];
};

/** What the AI SDK's options are on the wire; polling is its own affair. */
const onTheWire: Readonly<Record<string, string | null>> = {
  watermark: "watermark",
  generateAudio: "generate_audio",
  cameraFixed: "camera_fixed",
  returnLastFrame: "return_last_frame",
  serviceTier: "service_tier",
  draft: "draft",
  lastFrameImage: "content image_url",
  referenceImages: "content image_url",
  referenceVideos: "content video_url",
  referenceAudio: "content audio_url",
  pollIntervalMs: null,
  pollTimeoutMs: null,
};

test("the AI SDK's client has no option that the table lacks", () => {
  const options = declaredIn("@ai-sdk/bytedance/dist/index.d.ts", "ByteDanceVideoProviderOptions");
  expect(options.length).toBeGreaterThan(10);
  expect(options.filter((name) => !Object.hasOwn(onTheWire, name))).toEqual([]);
  const wire = options.flatMap((name) => onTheWire[name] ?? []);
  expect(wire.filter((field) => !inTable("Video tasks", "AI SDK").includes(field))).toEqual([]);
});

const openai = "openai/resources";
const anthropic = "@anthropic-ai/sdk/resources";
test.each([
  ["Videos API", "OpenAI SDK", `${openai}/videos.d.ts`, "VideoCreateParams"],
  ["Images", "OpenAI SDK", `${openai}/images.d.ts`, "ImageGenerateParamsBase"],
  ["Edits of images", "OpenAI SDK", `${openai}/images.d.ts`, "ImageEditParamsBase"],
  [
    "Chat",
    "OpenAI SDK",
    `${openai}/chat/completions/completions.d.ts`,
    "ChatCompletionCreateParamsBase",
  ],
  ["Responses", "OpenAI SDK", `${openai}/responses/responses.d.ts`, "ResponseCreateParamsBase"],
  ["Messages", "Anthropic SDK", `${anthropic}/messages/messages.d.ts`, "MessageCreateParamsBase"],
  [
    "Messages",
    "Anthropic SDK, beta",
    `${anthropic}/beta/messages/messages.d.ts`,
    "MessageCreateParamsBase",
  ],
])(
  "%s: the table has each parameter of the %s, and no other as its",
  (name, client, file, type) => {
    const parameters = declaredIn(file, type);
    expect(parameters.length).toBeGreaterThan(4);
    expect(inTable(name, client).toSorted()).toEqual(parameters.toSorted());
  },
);
