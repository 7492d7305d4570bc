/**
 * The documented fields of interfaces that relays of other services offer too, each with an order
 * that has it. What becomes of it is found by placing the order: see `outcomes.ts`.
 */

import { imageEdits, images } from "./documented-images";
import { chat, messages, responses } from "./documented-texts";
import type { Documented, FieldTable } from "./field-table";

const file = "https://files.example/a";
const text = { type: "text", text: "a boat" };
const item = (type: string, role: string) => ({ type, [type]: { url: file }, role });
const content = (...items: object[]) => ({ content: [text, ...items] });

const python = ["Volcengine SDK", "BytePlus SDK"] as const;
const all = ["AI SDK", ...python] as const;

const shared: readonly Documented[] = [
  { field: "resolution", clients: all, order: { resolution: "4k" } },
  { field: "ratio", clients: all, order: { ratio: "adaptive" } },
  { field: "duration", clients: all, order: { duration: -1 } },
  { field: "frames", clients: python, order: { frames: 57 } },
  { field: "seed", clients: all, order: { seed: 7 } },
  { field: "camera_fixed", clients: all, order: { camera_fixed: true } },
  { field: "watermark", clients: all, order: { watermark: true } },
  { field: "generate_audio", clients: all, order: { generate_audio: true } },
  { field: "return_last_frame", clients: all, order: { return_last_frame: true } },
  { field: "service_tier", clients: all, order: { service_tier: "flex" } },
  { field: "execution_expires_after", clients: python, order: { execution_expires_after: 7200 } },
  { field: "draft", clients: all, order: { draft: true } },
  { field: "priority", clients: python, order: { priority: 3 } },
  { field: "safety_identifier", clients: python, order: { safety_identifier: "user-7" } },
  { field: "tools", clients: ["Volcengine SDK"], order: { tools: [{ type: "web_search" }] } },
  { field: "output_format", clients: python, order: { output_format: "mov" } },
  {
    field: "omni_reference_task_type",
    clients: python,
    order: { omni_reference_task_type: "extend" },
  },
  { field: "framespersecond", clients: [], order: { framespersecond: 24 } },
];

const tasks: FieldTable = {
  name: "Video tasks",
  endpoint: "POST /v1/contents/generations/tasks",
  fields: [
    { field: "model", clients: all, order: {} },
    { field: "content text", clients: all, order: content(), upstream: "content" },
    ...(
      [
        ["image_url", "first_frame", all],
        ["image_url", "last_frame", all],
        ["image_url", "reference_image", all],
        ["video_url", "reference_video", all],
        ["audio_url", "reference_audio", all],
      ] as const
    ).map(([type, role, clients]) => ({
      field: `content ${type}, ${role}`,
      clients,
      order: content(
        ...(role === "last_frame" ? [item(type, "first_frame")] : []),
        ...(role === "reference_audio" ? [item("image_url", "reference_image")] : []),
        item(type, role),
      ),
      upstream: "content",
    })),
    {
      field: "content draft_task",
      clients: python,
      order: { content: [{ type: "draft_task", draft_task: { id: "cgt-1" } }] },
      upstream: "content",
    },
    ...shared,
    {
      field: "callback_url",
      clients: python,
      order: { callback_url: "https://hooks.example/a" },
      upstream: null,
    },
  ],
};

const call: FieldTable = {
  name: "Videos in one call",
  endpoint: "POST /v1/videos/generations",
  fields: [
    { field: "model", clients: [], order: {} },
    { field: "prompt", clients: [], order: {}, upstream: "content" },
    {
      field: "first_frame_url",
      clients: [],
      order: { first_frame_url: file },
      upstream: "content",
    },
    {
      field: "last_frame_url",
      clients: [],
      order: { first_frame_url: file, last_frame_url: file },
      upstream: "content",
    },
    {
      field: "reference_images",
      clients: [],
      order: { reference_images: [file] },
      upstream: "content",
    },
    {
      field: "reference_videos",
      clients: [],
      order: { reference_videos: [file] },
      upstream: "content",
    },
    {
      field: "reference_audios",
      clients: [],
      order: { reference_images: [file], reference_audios: [file] },
      upstream: "content",
    },
    {
      field: "draft_task_id",
      clients: [],
      order: { prompt: "", draft_task_id: "cgt-1" },
      upstream: "content",
    },
    ...shared.map((field) => ({ ...field, clients: [] })),
  ],
};

const openai = ["OpenAI SDK"] as const;
const ofJobs: readonly Documented[] = [
  { field: "model", clients: openai, order: {} },
  { field: "prompt", clients: openai, order: {}, upstream: "content" },
  {
    field: "input_reference",
    clients: openai,
    order: { input_reference: file },
    upstream: "content",
  },
  {
    field: "input_reference, with a role",
    clients: [],
    order: { input_reference: [{ image_url: file, role: "reference_image" }] },
    upstream: "content",
  },
  { field: "seconds", clients: openai, order: { seconds: "8" }, upstream: "duration" },
  { field: "size", clients: openai, order: { size: "1920x1080" }, upstream: "resolution" },
];
const jobs: FieldTable = {
  name: "Videos API",
  endpoint: "POST /v1/videos",
  fields: [
    ...ofJobs,
    // What a single call takes besides, by the same names.
    ...call.fields.filter(({ field }) => !["model", "prompt"].includes(field)),
    ...tasks.fields
      .filter(({ field }) => field === "callback_url")
      .map((each) => ({ ...each, clients: [] })),
  ],
};

export const fieldTables: readonly FieldTable[] = [
  ...[tasks, call, jobs],
  ...[images, imageEdits],
  ...[chat, responses, messages],
];
