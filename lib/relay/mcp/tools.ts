/** The tools of `/mcp`. Each calls an endpoint, with the limits and the price of any other request. */
import type { z } from "zod";
import { schemaOf } from "../../contract/document-bodies";
import { type ToolName, toolInputs } from "../../contract/mcp";
import { validate } from "../../http/validate";
import { nextTurn } from "../../timing/next-turn";
import { isObject, keysOf } from "../../values/records";
import { generateImage, generateVideo } from "./generate";
import { getImage, getVideo } from "./get-video";
import { modelOr } from "./only-model";
import { answered, type ToolResult, toolResult } from "./results";
import type { ToolCall } from "./tool-call";

interface About {
  readonly title: string;
  readonly description: string;
  /** Whether it only reads. */
  readonly isFree: boolean;
}

interface Tool extends About {
  readonly inputSchema: { [name: string]: unknown; type: "object" };
  /** Throws what is wrong with the arguments. */
  run(call: ToolCall, input: unknown): Promise<ToolResult>;
}

const tool = <Input extends z.ZodType>(
  schema: Input,
  about: About,
  run: (call: ToolCall, input: z.infer<Input>) => Promise<ToolResult>,
): Tool => ({
  ...about,
  inputSchema: { ...schemaOf(schema, "input"), type: "object" },
  async run(call, input) {
    // Arguments may be large: others get their turn before and after they are checked.
    await nextTurn();
    validate(schema, input);
    await nextTurn();
    return run(call, input);
  },
});

async function listModels({ ask }: ToolCall, family: string | undefined): Promise<ToolResult> {
  const { isOk, answer } = await answered(ask, { method: "GET", path: "/v1/models" });
  const models: unknown = answer.data;
  if (!Array.isArray(models) || family === undefined) return toolResult(answer, isOk);
  const data = models.filter((model) => isObject(model) && model.family === family);
  return toolResult({ ...answer, data });
}

async function quoted(
  { ask }: ToolCall,
  tool: string,
  fields: { readonly model?: string | undefined },
): Promise<ToolResult> {
  const isImage = tool === "generate_image";
  const model = await modelOr(ask, isImage ? "image" : "video", fields.model);
  const body = { endpoint: isImage ? "createImage" : "createVideo", ...fields, model };
  const { isOk, answer } = await answered(ask, { method: "POST", path: "/v1/quote", body });
  return toolResult(answer, isOk);
}

async function balance({ ask }: ToolCall): Promise<ToolResult> {
  const { isOk, answer } = await answered(ask, { method: "GET", path: "/v1/balance" });
  return toolResult(answer, isOk);
}

export const tools: Readonly<Record<ToolName, Tool>> = {
  generate_image: tool(
    toolInputs.generate_image,
    {
      title: "Generate an image",
      description:
        "Makes one image from a text, and from other images where given. Costs points. Returns a link that is valid for 24 hours, and the image itself if it is small. With async it returns the id of the image at once: then call get_image.",
      isFree: false,
    },
    generateImage,
  ),
  generate_video: tool(
    toolInputs.generate_video,
    {
      title: "Generate a video",
      description:
        "Orders a video and returns its task at once. Costs points when the video is ready. Then call get_video with the id of the task.",
      isFree: false,
    },
    generateVideo,
  ),
  get_video: tool(
    toolInputs.get_video,
    {
      title: "Get a video",
      description:
        "Gets the task of a video: its status, and a link to the video once it has succeeded. With wait_seconds it waits until the task has ended.",
      isFree: true,
    },
    (call, { id, wait_seconds: waitSeconds = 0 }) => getVideo(call, id, waitSeconds),
  ),
  get_image: tool(
    toolInputs.get_image,
    {
      title: "Get an image",
      description:
        "Gets an image by its id: its status, and a link to it once it has succeeded, with the image itself if it is small. With wait_seconds it waits until the image is ready or has failed.",
      isFree: true,
    },
    (call, { id, wait_seconds: waitSeconds = 0 }) => getImage(call, id, waitSeconds),
  ),
  list_models: tool(
    toolInputs.list_models,
    {
      title: "List the models",
      description:
        "Lists the models with their limits and your prices in points per million tokens.",
      isFree: true,
    },
    (call, { family }) => listModels(call, family),
  ),
  quote: tool(
    toolInputs.quote,
    {
      title: "Quote an order",
      description:
        "Says what generate_image or generate_video would cost with these arguments. Orders nothing.",
      isFree: true,
    },
    (call, { tool: name, ...fields }) => quoted(call, name, fields),
  ),
  get_balance: tool(
    toolInputs.get_balance,
    {
      title: "Get the balance",
      description: "Gets the points that the account can spend, and those held for running orders.",
      isFree: true,
    },
    balance,
  ),
};

/** The tools as a client sees them. */
export const toolList = keysOf(tools).map((name) => {
  const { title, description, isFree, inputSchema } = tools[name];
  const annotations = { readOnlyHint: isFree, destructiveHint: false, openWorldHint: !isFree };
  return { name, title, description, inputSchema, annotations };
});
