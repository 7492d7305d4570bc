/** The tools on a server of the official SDK, for the messages of one request. */
import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { brandName } from "../../contract/brand";
import { failureText, publicError } from "../../http/failure-answer";
import { isKeyOf } from "../../values/records";
import { type ToolResult, toolResult } from "./results";
import type { ToolCall } from "./tool-call";
import { toolList, tools } from "./tools";

const instructions =
  "Images and videos by a metered relay. Orders cost points: quote says how many. list_models names the models.";

/** `report`: called with an error that is ours. */
export function createToolServer(
  { ask, isDraining }: Pick<ToolCall, "ask" | "isDraining">,
  report: (error: unknown) => void,
): Server {
  /** A model can read what is wrong with its arguments, and call again. */
  const refused = (thrown: unknown): ToolResult => {
    const error = publicError(thrown);
    if (error.code === "internal_error") report(thrown);
    return toolResult(JSON.parse(failureText(error)), false);
  };
  const server = new Server(
    { name: "relay", title: brandName(), version: "1" },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler("tools/list", () => ({ tools: toolList }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const { name, arguments: input = {}, _meta: meta } = params;
    if (!isKeyOf(tools, name)) {
      const known = toolList.map((tool) => tool.name).join(", ");
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${JSON.stringify(name.slice(0, 60))}. The tools are ${known}.`,
      );
    }
    const progressToken = meta?.progressToken;
    const say = (progress: number, message: string) => {
      if (progressToken === undefined) return;
      const note = { progressToken, progress, message };
      // The client may be gone.
      mcpReq.notify({ method: "notifications/progress", params: note }).catch(() => {});
    };
    try {
      return await tools[name].run({ ask, isDraining, report: say, signal: mcpReq.signal }, input);
    } catch (error) {
      return refused(error);
    }
  });
  return server;
}
