/** The content blocks of a conversation in the Messages API. */
import { z } from "zod";
import { imageText, openObject } from "./bounds";
import { CHAT_TEXT_MEBIBYTES_MAX } from "./limits";

const BLOCKS_MAX = 1024;
const NAME_LENGTH_MAX = 256;
/** The members of a tool's input or of a JSON schema. What is inside them is not looked at. */
const OPEN_MEMBERS_MAX = 1024;
/** As long as the whole body may be. */
const TEXT_CHARACTERS_MAX = CHAT_TEXT_MEBIBYTES_MAX * 1024 * 1024;

export const text = z.string().max(TEXT_CHARACTERS_MAX);
export const name = z.string().min(1).max(NAME_LENGTH_MAX);
export const anyObject = openObject({}, OPEN_MEMBERS_MAX);

// Blocks of several kinds share some of their fields, and the reference shows each field once.
const blockType =
  "The kind of block; what tools of other providers wrote is left out, and thinking passes as its text where the upstream has another API";
const source = "The image, the document, or where the search result was found";
const sourceType =
  "The form of the source; a document that is no text needs a model that reads documents";
const sourceData = "The image or the document in base64, or the text of the document";
const sourceMedia =
  "The type of the image; application/pdf for a document, or that of a text, such as text/plain";
const sourceAddress = "The https: address of the image or the document";
const title = "The title of the document or of the search result";
const content = "The result of the tool, or the text of the search result";

const textBlock = openObject({
  type: z.literal("text").describe(blockType),
  text: text.describe("The text"),
});

const imageBlock = openObject({
  type: z.literal("image").describe(blockType),
  source: z
    .discriminatedUnion(
      "type",
      [
        openObject({
          type: z.literal("base64").describe(sourceType),
          media_type: z
            .enum(["image/jpeg", "image/png", "image/gif", "image/webp"])
            .describe(sourceMedia),
          data: imageText.describe(sourceData),
        }),
        openObject({
          type: z.literal("url").describe(sourceType),
          url: text.min(1).describe(sourceAddress),
        }),
      ],
      { error: 'it must be "base64" or "url"' },
    )
    .describe(source),
});

const blocksOf = <Block extends z.ZodType>(block: Block) =>
  z.union([text, z.array(block).max(BLOCKS_MAX)], {
    error: "it must be a string or an array of content blocks",
  });

const documentBlock = openObject({
  type: z.literal("document").describe(blockType),
  title: text.nullish().describe(title),
  context: text.nullish().describe("What the model should know about the document"),
  source: z
    .discriminatedUnion(
      "type",
      [
        openObject({
          type: z.literal("text").describe(sourceType),
          data: text.describe(sourceData),
        }),
        openObject({
          type: z.literal("content").describe(sourceType),
          content: blocksOf(
            z.discriminatedUnion("type", [textBlock, imageBlock], {
              error: 'it must be "text" or "image"',
            }),
          ).describe("The document as text, or as blocks of text and images"),
        }),
        openObject({
          type: z.literal("base64").describe(sourceType),
          media_type: name.describe(sourceMedia),
          data: imageText.describe(sourceData),
        }),
        openObject({
          type: z.literal("url").describe(sourceType),
          url: text.min(1).describe(sourceAddress),
        }),
        openObject({ type: z.literal("file").describe(sourceType) }),
      ],
      { error: 'it must be "text", "content", "base64", "url" or "file"' },
    )
    .describe(source),
});

const searchResultBlock = openObject({
  type: z.literal("search_result").describe(blockType),
  title: text.describe(title),
  source: text.describe(source),
  content: z.array(textBlock).max(BLOCKS_MAX).describe(content),
});

/** A tool that the client has found. All its tools are offered here at once. */
const toolReferenceBlock = openObject({
  type: z.literal("tool_reference").describe(blockType),
  tool_name: name.describe("The name of the tool"),
});

const toolResultBlock = openObject({
  type: z.literal("tool_result").describe(blockType),
  tool_use_id: name.describe("The id of the tool call that it answers"),
  is_error: z.boolean().nullish().meta({ default: false, description: "Whether the tool failed" }),
  content: blocksOf(
    z.discriminatedUnion(
      "type",
      [textBlock, imageBlock, documentBlock, searchResultBlock, toolReferenceBlock],
      { error: 'it must be "text", "image", "document", "search_result" or "tool_reference"' },
    ),
  )
    .nullish()
    .describe(content),
});

const toolUseBlock = openObject({
  type: z.literal("tool_use").describe(blockType),
  id: name.describe("The id of the tool call, as in the answer"),
  name: name.describe("The name of the tool"),
  input: anyObject.describe("The input that the model wrote for the tool"),
});

const thinkingBlock = openObject({
  type: z.enum(["thinking", "redacted_thinking"]).describe(blockType),
});

/** Blocks of tools that run at an upstream, and of its own settings; as it sends them. */
export const hostedBlocks = [
  "server_tool_use",
  "web_search_tool_result",
  "web_fetch_tool_result",
  "code_execution_tool_result",
  "bash_code_execution_tool_result",
  "text_editor_code_execution_tool_result",
  "tool_search_tool_result",
  "mcp_tool_use",
  "mcp_tool_result",
  "container_upload",
  "compaction",
  "fallback",
] as const;

/** What such tools and settings wrote into a conversation. */
const foreignToolBlock = openObject({
  type: z.enum(hostedBlocks).describe(blockType),
});

const userBlock = z.discriminatedUnion(
  "type",
  [textBlock, imageBlock, documentBlock, searchResultBlock, toolResultBlock, foreignToolBlock],
  { error: 'it must be "text", "image", "document", "search_result" or "tool_result"' },
);
const assistantBlock = z.discriminatedUnion(
  "type",
  [textBlock, thinkingBlock, toolUseBlock, foreignToolBlock],
  { error: 'it must be "text", "thinking" or "tool_use"' },
);

export const systemBlocks = blocksOf(textBlock);

const role = "Who speaks: the user, the model, or further instructions";
const said = "The message: text, or content blocks";

export const message = z.discriminatedUnion(
  "role",
  [
    openObject({
      role: z.literal("user").describe(role),
      content: blocksOf(userBlock).describe(said),
    }),
    openObject({
      role: z.literal("assistant").describe(role),
      content: blocksOf(assistantBlock).describe(said),
    }),
    openObject({
      role: z.literal("system").describe(role),
      content: systemBlocks.describe(said),
    }),
  ],
  { error: 'it must be "user", "assistant" or "system"' },
);
