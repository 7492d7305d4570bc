/** Messages to `/mcp` that cost the most to parse and check. */
import { MCP_BATCH_MAX, mcpEndpoint } from "@/lib/contract/mcp";
import { imageDataUrl } from "./worst-bodies";

const full = mcpEndpoint.bodyBytesMax;
const call = (given: string, more = "") =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"generate_image","arguments":{"model":"super-relay-img","prompt":"a fox",${given}}${more}}}`;
const values = (count: number) => Array.from({ length: count }, () => "{}").join(",");
const image = (bytes: number) => call(`"image":"${imageDataUrl(bytes)}"`);
const batch = (count: number, message: string) =>
  `[${Array.from({ length: count }, () => message).join(",")}]`;

export const worstMessages: readonly [string, string, () => string][] = [
  ["a tool's image of 32 MiB", mcpEndpoint.path, () => image(full - 400)],
  [
    "a batch of tools' images, 32 MiB together",
    mcpEndpoint.path,
    () => batch(MCP_BATCH_MAX, image(full / MCP_BATCH_MAX - 400)),
  ],
  ["a tool's 12,000 empty objects", mcpEndpoint.path, () => call(`"zz":[${values(12_000)}]`)],
  [
    "12,000 empty objects beside a tool",
    mcpEndpoint.path,
    () => call('"zz":1', `,"_meta":{"zz":[${values(12_000)}]}`),
  ],
  ["a batch of 12,000 empty objects", mcpEndpoint.path, () => `[${values(12_000)}]`],
  ["a tool's size of 4 MiB", mcpEndpoint.path, () => call(`"size":"${"a".repeat(full - 400)}"`)],
];
