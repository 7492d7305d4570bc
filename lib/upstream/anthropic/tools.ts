/** The functions of a chat request as tools of the Messages API. */
import type { JsonObject } from "../provider";
import { asObject } from "../transport/upstream-json";
import { objectsOf, textOf } from "./json-reading";

const noFields = { type: "object", properties: {} };

function toolOf({ name, description, parameters, strict }: JsonObject): JsonObject {
  const schema = asObject(parameters);
  return {
    name: textOf(name),
    ...(typeof description === "string" ? { description } : {}),
    input_schema: schema === null ? noFields : { type: "object", ...schema },
    ...(typeof strict === "boolean" ? { strict } : {}),
  };
}

function choiceOf(choice: unknown): JsonObject | null {
  if (choice === "required") return { type: "any" };
  if (choice === "auto" || choice === "none") return { type: choice };
  const named = asObject(choice);
  if (named === null) return null;
  const allowed = asObject(named.allowed_tools);
  if (allowed !== null) return { type: allowed.mode === "required" ? "any" : "auto" };
  return { type: "tool", name: textOf(asObject(named.function)?.name ?? named.name) };
}

/** The names that a choice allows; null when it allows all. */
function allowedNames(choice: unknown): readonly string[] | null {
  const allowed = asObject(asObject(choice)?.allowed_tools);
  if (allowed === null) return null;
  return objectsOf(allowed.tools).map((tool) => textOf(asObject(tool.function)?.name));
}

/** The members of the request for its tools: none when it has no tools. */
export function toolMembers(chat: JsonObject): JsonObject {
  const given = chat.tool_choice ?? chat.function_call;
  const allowed = allowedNames(given);
  const definitions = [
    ...objectsOf(chat.tools).flatMap((tool) => objectsOf([tool.function])),
    ...objectsOf(chat.functions),
  ].filter(({ name }) => allowed === null || allowed.includes(textOf(name)));
  if (definitions.length === 0) return {};
  const choice = choiceOf(given);
  const isSingle = chat.parallel_tool_calls === false && choice?.type !== "none";
  return {
    tools: definitions.map(toolOf),
    ...(choice === null && !isSingle
      ? {}
      : {
          tool_choice: {
            ...(choice ?? { type: "auto" }),
            ...(isSingle ? { disable_parallel_tool_use: true } : {}),
          },
        }),
  };
}
