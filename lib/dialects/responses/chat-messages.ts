/** The items of a request's input as chat messages. */
import type { ChatRequest } from "../../contract/chat";
import { foreignKinds, unreadKinds } from "../../contract/response-events";
import type { InputItem, MessagePart } from "../../contract/responses";
import { RelayError } from "../../failures/relay-error";
import { isCarried, ReturnedMembers } from "../carried";
import type { LeftOut } from "../left-out";
import type { JsonObject } from "../text-dialect";
import { argumentsOf } from "../tool-calls";
import { summaryIn } from "./compaction";
import { customArguments, TOOL_SEARCH, upstreamName } from "./tools";

type ChatMessage = ChatRequest["messages"][number];
type ChatContent = NonNullable<ChatMessage["content"]>;
type ChatPart = Exclude<ChatContent, string>[number];
type MessageItem = Extract<InputItem, { role: string }>;
type ReasoningItem = Extract<InputItem, { type: "reasoning" }>;

function chatPart(part: Exclude<MessagePart, { type: "refusal" }>): ChatPart {
  if (part.type === "input_audio") return part;
  if (part.type === "input_file") {
    const { file_data: data, file_url: url, filename } = part;
    return { type: "file", file: { file_data: data ?? url ?? "", ...(filename && { filename }) } };
  }
  if (part.type !== "input_image") return { type: "text", text: part.text };
  const { image_url: url, detail } = part;
  return { type: "image_url", image_url: typeof detail === "string" ? { url, detail } : { url } };
}

/** One text is a string, which every upstream takes. */
function chatContent(content: string | readonly MessagePart[]): ChatContent {
  if (typeof content === "string") return content;
  const parts = content.flatMap((part) => (part.type === "refusal" ? [] : [chatPart(part)]));
  return plainContent(parts);
}

function plainContent(parts: ChatPart[]): ChatContent {
  const [first] = parts;
  if (first === undefined) return "";
  return parts.length === 1 && first.type === "text" ? first.text : parts;
}

const partsOf = (content: ChatContent): ChatPart[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

const refusalOf = (content: MessageItem["content"]): string =>
  typeof content === "string"
    ? ""
    : content.map((part) => (part.type === "refusal" ? part.refusal : "")).join("");

/** The reasoning as the model wrote it, or else its summary. */
function reasoningText({ content, summary }: ReasoningItem): string {
  const own = (content ?? []).map((part) => part.text).join("");
  return own === "" ? summary.map((part) => part.text).join("\n\n") : own;
}

const isFile = (part: ChatPart): boolean => part.type !== "text";

/** What tools that run at an upstream left. */
export const isForeign = ({ type }: InputItem): boolean =>
  foreignKinds.some((kind) => kind === type);
/** What no model reads. */
export const isUnread = ({ type }: InputItem): boolean => unreadKinds.some((kind) => kind === type);

type SearchItem = Extract<InputItem, { type: "tool_search_call" | "tool_search_output" }>;

/** What a model said in one go: items that follow each other are one chat message. */
class AssistantTurn {
  #reasoning = "";
  #content: ChatContent | null = null;
  #refusal = "";
  readonly #toolCalls: JsonObject[] = [];
  readonly #returned = new ReturnedMembers();

  /** True once more reasoning or text belongs to the next turn. */
  get hasSpoken(): boolean {
    return this.#content !== null || this.#refusal !== "" || this.#toolCalls.length > 0;
  }

  get hasCalled(): boolean {
    return this.#toolCalls.length > 0;
  }

  get hasReasoned(): boolean {
    return this.#reasoning !== "";
  }

  reason(item: ReasoningItem): void {
    const text = reasoningText(item);
    this.#reasoning += this.#reasoning === "" || text === "" ? text : `\n\n${text}`;
  }

  sign(signature: string): void {
    this.#returned.add(signature);
  }

  say(content: MessageItem["content"]): void {
    this.#refusal += refusalOf(content);
    const said = chatContent(content);
    if (this.#content === null) this.#content = said === "" && this.#refusal !== "" ? null : said;
    else this.#content = [...partsOf(this.#content), ...partsOf(said)];
  }

  call(id: string, name: string, text: string): void {
    const called = { name, arguments: text };
    const carried = this.#returned.takeCall();
    this.#toolCalls.push({ id, type: "function", function: called, ...carried });
  }

  /** Null for reasoning alone, which no upstream takes. */
  message(): ChatMessage | null {
    if (!this.hasSpoken) return null;
    const message: ChatMessage = { role: "assistant", content: this.#content };
    if (this.#reasoning !== "") message.reasoning_content = this.#reasoning;
    if (this.#refusal !== "") message.refusal = this.#refusal;
    if (this.#toolCalls.length > 0) message.tool_calls = this.#toolCalls;
    return Object.assign(message, this.#returned.message);
  }
}

class Conversation {
  readonly messages: ChatMessage[] = [];
  #turn: AssistantTurn | null = null;
  /** Those of tools' outputs: chat has none there, so they follow as the user's. */
  #files: ChatPart[] = [];

  constructor(
    readonly leftOut: LeftOut,
    /** What an upstream of this API may get. */
    readonly dropped: LeftOut,
  ) {}

  /**
   * The turn that goes on. `isNext`: another begins when this one has spoken, unless it waits for the
   * outputs of its calls, which must follow them.
   */
  turn(isNext: boolean): AssistantTurn {
    if (this.#turn === null) this.#addFiles();
    if (isNext && this.#turn?.hasSpoken && !this.#turn.hasCalled) this.endTurn();
    this.#turn ??= new AssistantTurn();
    return this.#turn;
  }

  endTurn(): void {
    const message = this.#turn?.message() ?? null;
    if (message !== null) this.messages.push(message);
    else if (this.#turn?.hasReasoned) this.leftOut.add("input.reasoning");
    this.#turn = null;
  }

  /** Nothing may come between the outputs of calls. */
  #addFiles(): void {
    if (this.#files.length > 0) this.messages.push({ role: "user", content: this.#files });
    this.#files = [];
  }

  add(message: ChatMessage): void {
    this.endTurn();
    if (message.role !== "tool") this.#addFiles();
    this.messages.push(message);
  }

  end(): void {
    this.endTurn();
    this.#addFiles();
  }

  #output(id: string, content: ChatContent): void {
    const parts = partsOf(content);
    this.#files.push(...parts.filter(isFile));
    const texts = parts.filter((part) => !isFile(part));
    const isAll = texts.length === parts.length;
    this.add({ role: "tool", tool_call_id: id, content: isAll ? content : plainContent(texts) });
  }

  #call(item: Extract<InputItem, { call_id: string; name: string }>): void {
    const text =
      item.type === "function_call" ? (item.arguments ?? "") : customArguments(item.input);
    this.turn(false).call(item.call_id, upstreamName(item.name, item.namespace), text);
  }

  #reason(item: ReasoningItem): void {
    const { encrypted_content: signature } = item;
    if (isCarried(signature)) this.turn(false).sign(signature);
    else {
      if (signature) this.leftOut.add("input.encrypted_content");
      this.turn(true).reason(item);
    }
  }

  /** A search that ran at a provider has no id. */
  #search(item: SearchItem): void {
    const { call_id: id } = item;
    if (typeof id !== "string") this.dropped.add(`input.${item.type}`);
    else if (item.type === "tool_search_call")
      this.turn(false).call(id, TOOL_SEARCH, argumentsOf(item.arguments));
    else this.#output(id, `Tools: ${item.tools.map(({ name, type }) => name ?? type).join(", ")}`);
  }

  #compacted(item: InputItem): void {
    const summary = summaryIn(item);
    if (summary === null) this.dropped.add("input.compaction");
    else this.add({ role: "user", content: summary });
  }

  take(item: InputItem, index: number): void {
    switch (item.type) {
      case "reasoning":
        this.#reason(item);
        break;
      case "function_call":
      case "custom_tool_call":
        this.#call(item);
        break;
      case "function_call_output":
      case "custom_tool_call_output":
        this.#output(item.call_id ?? "", chatContent(item.output));
        break;
      case "local_shell_call":
        this.turn(false).call(item.call_id, "local_shell", JSON.stringify(item.action));
        break;
      case "local_shell_call_output":
        this.#output(item.call_id ?? item.id ?? "", item.output);
        break;
      case "tool_search_call":
      case "tool_search_output":
        this.#search(item);
        break;
      case "additional_tools":
        // They are among the request's tools.
        break;
      case "compaction":
        this.#compacted(item);
        break;
      case "item_reference":
        throw new RelayError("previous_response_not_found", {
          param: `input[${index}].id`,
          message: `\`input[${index}].id\` names an item that is not stored.`,
        });
      case "message":
      case undefined:
        if (item.role === "assistant") this.turn(true).say(item.content);
        else this.add({ role: item.role, content: chatContent(item.content) });
        break;
      default:
        this.dropped.add(`input.${item.type}`);
    }
  }
}

/** Throws `previous_response_not_found` for a reference, which must have been replaced before. */
export function chatMessages(
  instructions: string | null | undefined,
  input: string | readonly InputItem[],
  leftOut: LeftOut,
  dropped: LeftOut,
): ChatMessage[] {
  const conversation = new Conversation(leftOut, dropped);
  if (instructions) conversation.add({ role: "system", content: instructions });
  if (typeof input === "string") conversation.add({ role: "user", content: input });
  else for (const [index, item] of input.entries()) conversation.take(item, index);
  conversation.end();
  return conversation.messages;
}
