/**
 * An upstream that lets a coding agent run one command and finish, behind a relay on a port of its
 * own.
 */
import { isObject, isRecord } from "@/lib/values/records";
import { openTestRelay } from "../relay/test-relay";
import { serveFind } from "../stage/serve-find";
import {
  chunk,
  completion,
  type Script,
  sendJson,
  startUpstream,
  streaming,
  usageChunk,
  usageOf,
} from "../upstream/test-upstream";

export const SAID_AT_END = "The command has run.";
/** The names under which agents offer to run a command. */
const shellNames = /^(exec_command|shell|shell_command|local_shell|bash|Bash)$/;
const usage = usageOf(1000, 20);

/** The arguments that make the offered tool run the command. */
function argumentsFor(parameters: unknown, command: string): object {
  const properties = isRecord(parameters) && isRecord(parameters.properties);
  const names = properties ? Object.keys(parameters.properties as object) : [];
  if (names.includes("cmd")) return { cmd: command };
  const isList =
    isRecord(parameters) &&
    isRecord(parameters.properties) &&
    isRecord(parameters.properties.command) &&
    parameters.properties.command.type === "array";
  if (isList) return { command: ["bash", "-lc", command] };
  return { command, description: "Runs the command of the test" };
}

/** The call that makes the offered shell run the command; null when none is offered. */
export function shellCall(tools: readonly unknown[], command: string) {
  for (const tool of tools) {
    const offered: unknown = isObject(tool) ? tool.function : null;
    if (!isRecord(offered) || !shellNames.test(String(offered.name))) continue;
    const given = JSON.stringify(argumentsFor(offered.parameters, command));
    return { name: String(offered.name), arguments: given };
  }
  return null;
}

/** Answers the first request with a call of the agent's shell, and those that follow with a text. */
const scriptOf =
  (command: string): Script =>
  (response, { body }) => {
    const { messages, tools, stream } = body;
    const hasRun =
      Array.isArray(messages) && messages.some((each) => isObject(each) && each.role === "tool");
    const called = hasRun || !Array.isArray(tools) ? null : shellCall(tools, command);
    if (stream !== true) {
      sendJson(response, completion(SAID_AT_END, { usage }));
      return;
    }
    const parts =
      called === null
        ? [chunk({ role: "assistant", content: SAID_AT_END }), chunk({}, {}, "stop")]
        : [
            chunk({
              role: "assistant",
              tool_calls: [{ index: 0, id: "call_1", type: "function", function: called }],
            }),
            chunk({}, {}, "tool_calls"),
          ];
    streaming(...parts, usageChunk(usage))(response);
  };

/** What an agent is made to run: a command, or what a script calls. */
export async function startScriptedAgent(command: string | Script) {
  const upstream = await startUpstream(typeof command === "string" ? scriptOf(command) : command);
  const relay = await openTestRelay({ channels: [upstream.channel()] });
  const web = await serveFind(relay.find);
  const origin = web.origin;
  return {
    origin,
    place: { origin, baseUrl: `${origin}/v1` },
    relay,
    seen: upstream.seen,
    async close() {
      await web.close();
      await relay.close();
      await upstream.close();
    },
  };
}
