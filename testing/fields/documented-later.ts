/** The fields of later versions of client libraries than ours, which need a later Node.js. */
import { address, imageEdits, images } from "./documented-images";
import { responses } from "./documented-texts";
import type { Documented, FieldTable } from "./field-table";

const later = ["OpenAI SDK 7"] as const;
/** What a version of a library has that is later than ours, which needs a later Node.js. */
const ofLater: readonly Documented[] = (
  [
    ["complexity", "high"],
    ["safety_identifier", "u-7"],
    ["frame_count", 9],
    ["frame_duration_ms", 100],
    ["svg", { reasoning: { effort: "low" } }],
  ] as const
).map(([field, value]) => ({ field, clients: later, order: { [field]: value } }));

const laterImages: readonly FieldTable[] = [
  { name: "Images, later fields", endpoint: images.endpoint, fields: ofLater },
  {
    name: "Edits of images, later fields",
    endpoint: imageEdits.endpoint,
    fields: [...ofLater, { field: "markup", clients: later, order: { markup: address } }],
  },
];

const laterResponses: FieldTable = {
  name: "Responses, later fields",
  endpoint: responses.endpoint,
  fields: (
    [
      ["access_programs", { cyber: "standard" }, undefined],
      ["background_options", { completion_window: "8h" }, undefined],
      ["image", { context_compression: "auto" }, undefined],
      ["max_tool_calls", 3, null],
    ] as const
  ).map(([field, value, upstream]) => ({
    field,
    clients: later,
    order: { [field]: value },
    ...(upstream === null && { upstream }),
  })),
};

/** They are told, and count in no share. */
export const laterTables: readonly FieldTable[] = [...laterImages, laterResponses];
