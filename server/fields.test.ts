/** The page of fields, and the fields that the types of real clients have. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtInModels } from "@/lib/catalog/built-in";
import { catalogueOf, replaceCatalogue } from "@/lib/catalog/models";
import { fieldTables } from "@/testing/fields/documented";
import { fieldsText, sharePassed } from "@/testing/fields/table";
import { wholeModel } from "@/testing/relay/whole-video";

beforeAll(() => replaceCatalogue(catalogueOf([...builtInModels, wholeModel()])));
afterAll(() => replaceCatalogue(catalogueOf(builtInModels)));

test("docs/fields.md is the table of what becomes of each field", async () => {
  await expect(await fieldsText()).toMatchFileSnapshot("../docs/fields.md");
});

test("at least 95 of 100 documented fields are passed or priced", async () => {
  expect(await sharePassed()).toBeGreaterThanOrEqual(95);
});

const modules = join(import.meta.dirname, "../node_modules");

/** The members of a type in a package's declarations. */
function membersOf(file: string, type: string): string[] {
  const text = readFileSync(join(modules, file), "utf8");
  const start = text.search(new RegExp(`(type|interface) ${type}\\b[^{]*\\{`));
  const body = text.slice(start, text.indexOf("\n}", start));
  return [...body.matchAll(/^ {4}(\w+)\??:/gm)].map(([, name = ""]) => name);
}

const inTable = (client: string) =>
  fieldTables
    .flatMap(({ fields }) => fields)
    .filter(({ clients }) => clients.some((each) => each === client))
    .map(({ field }) => field);

/** What the AI SDK's options are on the wire; polling is its own affair. */
const onTheWire: Readonly<Record<string, string | null>> = {
  watermark: "watermark",
  generateAudio: "generate_audio",
  cameraFixed: "camera_fixed",
  returnLastFrame: "return_last_frame",
  serviceTier: "service_tier",
  draft: "draft",
  lastFrameImage: "content image_url, last_frame",
  referenceImages: "content image_url, reference_image",
  referenceVideos: "content video_url, reference_video",
  referenceAudio: "content audio_url, reference_audio",
  pollIntervalMs: null,
  pollTimeoutMs: null,
};

test("the AI SDK's client has no option that the table lacks", () => {
  const options = membersOf("@ai-sdk/bytedance/dist/index.d.ts", "ByteDanceVideoProviderOptions");
  expect(options.length).toBeGreaterThan(10);
  expect(options.filter((name) => !Object.hasOwn(onTheWire, name))).toEqual([]);
  const wire = options.flatMap((name) => onTheWire[name] ?? []);
  expect(wire.filter((field) => !inTable("AI SDK").includes(field))).toEqual([]);
});

test("OpenAI's client has no parameter of videos that the table lacks", () => {
  const parameters = membersOf("openai/resources/videos.d.ts", "VideoCreateParams");
  expect(parameters.length).toBeGreaterThan(3);
  expect(parameters.filter((name) => !inTable("OpenAI SDK").includes(name))).toEqual([]);
});
