/** Client libraries that need a later Node.js than the product: both come from npm. Only in `npm run test:whole`. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { Channel } from "@/lib/upstream/provider";
import { fromNpm } from "@/testing/clients/install";
import { fieldTables } from "@/testing/fields/documented";
import { outcomesOf } from "@/testing/fields/outcomes";
import { membersOf } from "@/testing/fields/types-of-clients";
import { gifOf, pngOf } from "@/testing/media/files";
import { picture, file as series } from "@/testing/relay/image-series";
import { sellModel } from "@/testing/relay/sold-model";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import { wholeText } from "@/testing/relay/whole-text";
import { wholeVideo } from "@/testing/relay/whole-video";
import type { Listening } from "@/testing/stage/listen";
import { serveFind } from "@/testing/stage/serve-find";
import {
  saying,
  sendJson,
  startUpstream,
  streaming,
  type TestUpstream,
  usageOf,
} from "@/testing/upstream/test-upstream";
import { startVideoUpstream, type VideoUpstream } from "@/testing/upstream/video-upstream";

const OPENAI = "7.59.0";
const NODE = "22.22.0";
const runFile = promisify(execFile);
const driver = join(import.meta.dirname, "../testing/clients/drivers/openai-fields.mjs");

const moving = { b64_json: gifOf(512, 512).toString("base64") };
const usage = { input_tokens: 5, output_tokens: 2, total_tokens: 7 };
const said = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Yes.", annotations: [] }],
};
const response = (more: object) => ({
  ...{ id: "resp_up", object: "response", created_at: 1, status: "completed", model: "theirs" },
  ...{ output: [said], usage, parallel_tool_calls: true, tool_choice: "auto", tools: [] },
  ...more,
});

let texts: TestUpstream;
let pictures: TestUpstream;
let videos: VideoUpstream;
let relay: TestRelay;
let web: Listening;

beforeAll(async () => {
  texts = await startUpstream((answer, request, count) => {
    if (!request.path.endsWith("/responses"))
      return saying("Yes.", usageOf(5, 2))(answer, request, count);
    if (request.body.stream !== true) return sendJson(answer, JSON.stringify(response({})));
    const event = { type: "response.completed", sequence_number: 1, response: response({}) };
    return streaming(`event: response.completed\ndata: ${JSON.stringify(event)}\n\n`)(answer);
  });
  pictures = await startUpstream((answer, { body }) => {
    const each = body.output_format === "gif" ? moving : picture;
    const data = Array.from({ length: Number(body.n ?? 1) }, () => each);
    sendJson(answer, JSON.stringify({ created: 1, data, usage: { output_tokens: 1 } }));
  });
  videos = await startVideoUpstream();
  relay = await openTestRelay({ channels: [], points: "1000000" });
  await sellModel(relay, wholeVideo);
  await sellModel(relay, { ...series, spec: { ...series.spec, qualities: ["standard", "high"] } });
  await sellModel(relay, wholeText);
  web = await serveFind(relay.find);
});
afterAll(async () => {
  await web.close();
  await relay.close();
  await Promise.all([texts.close(), pictures.close(), videos.close()]);
});

const came = z.array(
  z.union([
    z.object({ answer: z.looseObject({}) }),
    z.object({ status: z.number(), param: z.string().nullable(), said: z.string() }),
  ]),
);

/** What the package's types say that each answer has. */
const usageShape = z.looseObject({ total_tokens: z.number() });
const shapes = {
  images: z.looseObject({
    created: z.number(),
    data: z.array(z.object({ url: z.url() }).or(z.object({ b64_json: z.string() }))).min(1),
    usage: usageShape,
  }),
  chat: z.looseObject({
    ...{ id: z.string(), object: z.literal("chat.completion"), model: z.string() },
    created: z.number(),
    choices: z
      .array(z.looseObject({ message: z.looseObject({ role: z.literal("assistant") }) }))
      .min(1),
    usage: usageShape,
  }),
  responses: z.looseObject({
    ...{ id: z.string(), object: z.literal("response"), model: z.string() },
    ...{ output: z.array(z.looseObject({ type: z.string() })), output_text: z.string() },
  }),
  videos: z.looseObject({
    ...{ id: z.string(), object: z.literal("video"), status: z.literal("queued") },
    ...{ seconds: z.string(), size: z.string(), progress: z.number() },
  }),
};
const events = z.looseObject({
  events: z.array(z.looseObject({ type: z.string() }).or(z.looseObject({ id: z.string() }))).min(1),
});

interface Interface {
  readonly call: string;
  readonly table: string;
  readonly types: readonly [file: string, type: string];
  readonly usual: object;
  readonly shape: z.ZodType;
  channels(): Channel[];
  sent(): Record<string, unknown> | undefined;
}

const ofPictures = {
  shape: shapes.images,
  channels: () => [pictures.channel({ models: { [series.id]: "theirs" } })],
  sent: () => pictures.seen.at(-1)?.body,
};
const ofTexts = {
  channels: () => [texts.channel({ models: { [wholeText.id]: "theirs" } })],
  sent: () => texts.seen.at(-1)?.body,
};
const fox = { model: series.id, prompt: "a fox", size: "512x512" };
const interfaces: readonly Interface[] = [
  {
    ...{ call: "images", table: "Images", usual: fox },
    types: ["images.d.ts", "ImageGenerateParamsBase"],
    ...ofPictures,
  },
  {
    ...{ call: "edits", table: "Edits of images", usual: { ...fox, image: "a" } },
    types: ["images.d.ts", "ImageEditParamsBase"],
    ...ofPictures,
  },
  {
    ...{ call: "chat", table: "Chat", shape: shapes.chat },
    usual: { model: wholeText.id, messages: [{ role: "user", content: "a boat" }] },
    types: ["chat/completions/completions.d.ts", "ChatCompletionCreateParamsBase"],
    ...ofTexts,
  },
  {
    ...{ call: "responses", table: "Responses", shape: shapes.responses },
    usual: { model: wholeText.id, input: "a boat" },
    types: ["responses/responses.d.ts", "ResponseCreateParamsBase"],
    ...ofTexts,
  },
  {
    ...{ call: "videos", table: "Videos API", shape: shapes.videos },
    usual: { model: wholeVideo.id, prompt: "a boat" },
    types: ["videos.d.ts", "VideoCreateParams"],
    channels: () => [videos.channel],
    sent: () => videos.tasks.at(-1)?.body,
  },
];

const programs = () => {
  const platform = `node-${process.platform}-${process.arch}`;
  return [fromNpm(platform, NODE), fromNpm("openai", OPENAI)] as const;
};

async function drive(node: string, folder: string, orders: readonly object[]) {
  const { stdout } = await runFile(node, [driver], {
    env: {
      ...process.env,
      ...{ RELAY_CLIENTS: folder, RELAY_API_KEY: "good", RELAY_ORDERS: JSON.stringify(orders) },
      RELAY_BASE_URL: `http://127.0.0.1:${web.port}/v1`,
      RELAY_PICTURE: pngOf(64, 64).toString("base64"),
    },
    timeout: 120_000,
  });
  return came.parse(JSON.parse(stdout));
}

/** Fields whose orders name what the account would have to have. */
const unknownThere = ["previous_response_id"];

test.for(interfaces)(
  "openai 7 sends every field of its types for $call, and reads the answers",
  { timeout: 600_000 },
  async ({ call, table: name, types: [file, type], usual, shape, channels, sent }, { skip }) => {
    const [node, openai] = programs();
    if ("reason" in node) return skip(node.reason);
    if ("reason" in openai) return skip(openai.reason);
    const modules = join(openai.folder, "node_modules");
    const declared = readFileSync(join(modules, "openai/resources", file), "utf8");
    const table = fieldTables.find((each) => each.name === name);
    if (table === undefined) throw new Error(`there is no table ${name}`);
    const fields = (await outcomesOf(table)).filter(({ clients }) =>
      clients.some((client) => client.startsWith("OpenAI SDK")),
    );
    const names = new Set(fields.map(({ field }) => field.split(/[,.]/)[0]));
    expect([...names].toSorted()).toEqual(membersOf(declared, type).toSorted());
    relay.setting.channels = channels();
    const program = join(node.folder, "node_modules", `node-${process.platform}-${process.arch}`);
    for (const { field, order, outcome, upstream } of fields) {
      const orders = [{ call, order: { ...usual, ...order } }];
      const [result] = await drive(join(program, "bin/node"), openai.folder, orders);
      const told = `${field}: ${JSON.stringify(result).slice(0, 400)}`;
      const isStream = "stream" in order && order.stream === true;
      if (outcome === "refused by name" || unknownThere.includes(field)) {
        expect(result, told).toMatchObject({ status: expect.any(Number) });
        const [first = ""] = field.split(/[,.]/);
        expect(JSON.stringify(result), told).toContain(first);
        continue;
      }
      expect(result, told).toHaveProperty("answer");
      const answer = result !== undefined && "answer" in result ? result.answer : {};
      const read = (isStream ? events : shape).safeParse(answer);
      expect(read.error, told).toBeUndefined();
      if (upstream === null || outcome === "priced") continue;
      const [there = ""] = (upstream ?? field).split(/[ ,.]/);
      expect(Object.keys(sent() ?? {}), told).toContain(there);
    }
  },
);
