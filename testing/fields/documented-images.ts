/** The documented fields of image orders, each with an order that has it. */
import type { Documented, FieldTable } from "./field-table";

const ark = ["Volcengine SDK", "BytePlus SDK"] as const;
const openai = ["OpenAI SDK"] as const;
const later = ["OpenAI SDK 7"] as const;
const all = [...ark, ...openai] as const;
const auto = { sequential_image_generation: "auto" };
const gif = { output_format: "gif" };
const address = "https://files.example/a.png";
const most = { sequential_image_generation_options: { max_images: 4 } };

/** Of both of the Images API's calls. */
const ofOpenai: readonly Documented[] = [
  { field: "model", clients: all, order: {}, upstream: null },
  { field: "prompt", clients: all, order: { prompt: "another" } },
  { field: "size, in pixels", clients: all, order: { size: "1024x768" } },
  { field: "n", clients: openai, order: { n: 3 } },
  { field: "quality", clients: openai, order: { quality: "high" } },
  { field: "background", clients: openai, order: { background: "transparent" } },
  { field: "output_compression", clients: openai, order: { output_compression: 80 } },
  { field: "output_format", clients: all, order: { output_format: "jpeg" } },
  { field: "partial_images", clients: openai, order: { stream: true, partial_images: 2 } },
  {
    field: "response_format",
    clients: all,
    order: { response_format: "b64_json" },
    upstream: null,
  },
  { field: "stream", clients: all, order: { stream: true }, upstream: null },
  { field: "user", clients: openai, order: { user: "u-7" } },
];

/** What a version of a library has that is later than ours, which needs a later Node.js. */
const ofLater: readonly Documented[] = [
  { field: "complexity", clients: later, order: { complexity: "high" } },
  { field: "safety_identifier", clients: later, order: { safety_identifier: "u-7" } },
  { field: "frame_count", clients: later, order: { ...gif, frame_count: 9 } },
  { field: "frame_duration_ms", clients: later, order: { ...gif, frame_duration_ms: 100 } },
  { field: "svg", clients: later, order: { svg: { reasoning: { effort: "low" } } } },
];

export const images: FieldTable = {
  name: "Images",
  endpoint: "POST /v1/images/generations",
  fields: [
    ...ofOpenai,
    { field: "moderation", clients: openai, order: { moderation: "low" } },
    { field: "style", clients: openai, order: { style: "vivid" } },
    { field: "image", clients: ark, order: { image: Array(14).fill(address) } },
    { field: "size, by its name", clients: ark, order: { size: "2K" } },
    { field: "seed", clients: ark, order: { seed: 7 } },
    { field: "sequential_image_generation", clients: ark, order: auto },
    {
      field: "sequential_image_generation_options.max_images",
      clients: ark,
      order: { ...auto, ...most },
    },
    { field: "guidance_scale", clients: ark, order: { guidance_scale: 2.5 } },
    { field: "watermark", clients: ark, order: { watermark: true } },
    {
      field: "optimize_prompt_options",
      clients: ark,
      order: { optimize_prompt_options: { mode: "fast" } },
    },
    { field: "optimize_prompt", clients: ark, order: { optimize_prompt: true } },
    {
      field: "layer_decomposition",
      clients: ark,
      order: { layer_decomposition: true, image: address },
    },
    { field: "tools", clients: ark, order: { tools: [{ type: "web_search" }] } },
    ...ofLater,
    { field: "ratio", clients: [], order: { size: undefined, ratio: "4:3" } },
    { field: "async", clients: [], order: { async: true }, upstream: null },
    { field: "callback_url", clients: [], order: { callback_url: address }, upstream: null },
  ],
};

export const imageEdits: FieldTable = {
  name: "Edits of images",
  endpoint: "POST /v1/images/edits",
  fields: [
    ...ofOpenai,
    { field: "image", clients: openai, order: { image: [address, address] } },
    { field: "input_fidelity", clients: openai, order: { input_fidelity: "high" } },
    { field: "mask", clients: openai, order: { mask: address } },
    ...ofLater,
    { field: "markup", clients: later, order: { markup: address } },
  ],
};
