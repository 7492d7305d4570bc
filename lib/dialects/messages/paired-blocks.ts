/** Turns of the Messages API in which each call has its result at the beginning of the next turn. */
import { NO_RESULT, PairedCalls, saidByUser } from "../paired-calls";
import type { JsonObject } from "../text-dialect";

interface Turn {
  readonly role: string;
  readonly content: JsonObject[];
}

const isCall = ({ type }: JsonObject) => type === "tool_use";
const isResult = ({ type }: JsonObject) => type === "tool_result";

/** The result of a call that is not in the conversation, as what the user says. */
function asUsers({ content }: JsonObject): JsonObject[] {
  const said = saidByUser<JsonObject>(Array.isArray(content) ? content : String(content ?? ""));
  return typeof said === "string" ? [{ type: "text", text: said }] : said;
}

function read(turns: readonly Turn[]): PairedCalls {
  const pairs = new PairedCalls();
  for (const { role, content } of turns) {
    if (role === "assistant") pairs.other();
    for (const block of content)
      if (isCall(block)) pairs.call(block, block.id);
      else if (isResult(block)) pairs.result(block, block.tool_use_id);
      else if (role === "user") pairs.other();
  }
  pairs.other();
  return pairs;
}

/** `turns` itself where all is usual. */
export function withPairedBlocks(turns: Turn[]): Turn[] {
  const pairs = read(turns);
  if (pairs.isUsual) return turns;
  const all: Turn[] = [];
  /** The results of the calls of the last turn. */
  let results: JsonObject[] = [];
  const add = (role: string, said: JsonObject[]) => {
    const content = role === "user" ? [...results, ...said] : said;
    if (role === "assistant" && results.length > 0) all.push({ role: "user", content: results });
    results = [];
    if (content.length > 0) all.push({ role, content });
  };
  for (const { role, content } of turns) {
    const said = content.flatMap((block) => {
      if (isCall(block)) return [{ ...block, id: pairs.idOf(block) }];
      if (!isResult(block)) return [block];
      return pairs.isLone(block) ? asUsers(block) : [];
    });
    add(role, said);
    results = content.filter(isCall).map((call) => ({
      ...(pairs.resultOf(call) ?? { type: "tool_result", content: NO_RESULT }),
      tool_use_id: pairs.idOf(call),
    }));
  }
  add("assistant", []);
  return all;
}
