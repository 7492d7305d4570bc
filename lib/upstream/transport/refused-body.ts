/**
 * The error in an upstream's refusal, wherever its maker puts it. Its words are read to find out what
 * they mean. Only operators see them, with the attempt: they may quote prompts.
 */
import { isRecord } from "../../values/records";
import type { JsonObject } from "../provider";
import { embeddedValue } from "./embedded-value";
import { codeText } from "./error-codes";
import { asObject, parseUpstreamObject } from "./upstream-json";

const TEXTS_MAX = 8;
const CHARACTERS_MAX = 600;
/** An error within an error, as gateways write it. */
const DEPTH_MAX = 8;
/** What gateways and their libraries write before the words of the server behind them. */
const wrappers: readonly RegExp[] = [
  /^(?:[A-Z][\w.]{0,60}(?:Error|Exception) ?){1,2}(?:: ?|- ?)/i,
  /^(?:Error code: \d{3} - |<\d{3}> |InternalError\.Algo\.\w{1,40}: |\[\d{4}\] ?)/i,
  /^(?:Invalid request: |invalid params, |bad request: |provider error: |rate limit error - |input validation error: )/i,
  /^(?:Failed to deserialize the JSON body into the target type|chat template rejected the request|The model returned the following errors): /i,
  /^\* GenerateContentRequest\./,
  /^(?:Upstream request failed: |Provider returned error\s{1,4}|invalid request body: |\[[a-z_]{1,40}\] )/i,
  /^An error occurred \(\w{1,60}\) when calling the \w{1,60} operation(?: \([^()]{1,60}\))?: /i,
  /^Error from provider ?\([^()]{1,100}\): ?/i,
  /^(?:\w{1,40} midstream error|\d{1,3} (?:request )?validation errors?|API error(?: \(status \d{3}\))?|Value error)[:,]\s{0,4}/i,
  /^-{4,20}\s{1,4}While executing [\s\S]{0,500}?\nError: Jinja Exception: /,
  /^Error rendering prompt with jinja template: "?/i,
  /^operation error [\w ]{1,40}: \w{1,40}, https response error StatusCode: \d{3}, RequestID: [\w-]{1,60}, /,
  /^\[address=[^\]]{1,60}\] /,
  /^API 调用参数有误，请检查文档。/,
];
const WRAPPERS_MAX = 8;

/** One entry of a list of faults, as pydantic writes it. */
export interface FieldFault {
  readonly type: string;
  /** Where the fault is: the names of members, and positions in lists. */
  readonly path: readonly string[];
}

export interface RefusedBody {
  /** The object with the codes; null when there is none. */
  readonly error: JsonObject | null;
  /** Its codes and types, joined. */
  readonly codes: string;
  readonly param: string;
  /** For how long the upstream asks to be left alone, as Google writes it: "34s". */
  readonly delay: string;
  /** Its sentences, each from its own first word on. */
  readonly texts: readonly string[];
  readonly faults: readonly FieldFault[];
}

function unwrapped(text: string): string {
  let left = text.trimStart();
  for (let count = 0; count < WRAPPERS_MAX; count++) {
    const wrapper = wrappers.find((pattern) => pattern.test(left));
    if (wrapper === undefined) return left;
    left = left.replace(wrapper, "");
  }
  return left;
}

/** Where makers put their codes and their words. */
const codeNames = [
  ...["code", "type", "status", "error_type", "error_code", "status_code", "Code", "__type"],
] as const;
const wordNames = [
  ...["error", "message", "detail", "details", "errors", "innererror", "Error", "Message"],
  ...["msg", "error_msg", "error_message", "errmsg", "base_resp", "status_msg", "Response"],
] as const;

class Reader {
  readonly texts: string[] = [];
  readonly faults: FieldFault[] = [];
  readonly codes: string[] = [];
  param = "";
  delay = "";

  #say(text: string): void {
    if (this.texts.length < TEXTS_MAX) this.texts.push(text.slice(0, CHARACTERS_MAX));
  }

  #fault(value: unknown): boolean {
    if (!isRecord(value) || !Array.isArray(value.loc)) return false;
    if (this.faults.length >= TEXTS_MAX) return true;
    const path = value.loc.filter((part) => part !== "body").map(String);
    this.faults.push({ type: codeText(value.type), path });
    if (typeof value.msg === "string") this.#say(value.msg);
    return true;
  }

  read(value: unknown, depth = 0): void {
    if (depth > DEPTH_MAX) return;
    if (typeof value === "string") {
      const text = unwrapped(value);
      const inner = embeddedValue(text);
      if (inner === null) this.#say(text);
      else this.read(inner, depth + 1);
    } else if (Array.isArray(value)) {
      for (const item of value.slice(0, TEXTS_MAX))
        if (!this.#fault(item)) this.read(item, depth + 1);
    } else if (isRecord(value) && !this.#fault(value)) this.#object(value, depth);
  }

  #object(value: JsonObject, depth: number): void {
    for (const name of codeNames) {
      const text = codeText(value[name]);
      if (text !== "" && this.codes.length < TEXTS_MAX) this.codes.push(text.slice(0, 100));
    }
    this.param ||= codeText(value.param);
    this.delay ||= codeText(value.retryDelay);
    for (const name of wordNames) if (value[name] !== undefined) this.read(value[name], depth + 1);
    const raw = asObject(value.metadata)?.raw;
    if (raw !== undefined) this.read(raw, depth + 1);
  }
}

/** Reads an error's value, or the whole body in which it came. */
export function readRefused(value: unknown): RefusedBody {
  const reader = new Reader();
  reader.read(value);
  const body = asObject(Array.isArray(value) ? value[0] : value);
  const error = asObject(body?.error) ?? body;
  const { texts, faults, codes, param, delay } = reader;
  return { error, codes: codes.join(" "), param, delay, texts, faults };
}

/** Some servers refuse a stream in the form of its events. */
const dataLine = /^data: ?([^\r\n]+)/m;

/** A body that is one string of JSON; null for any other. */
function stringIn(text: string): string | null {
  const read = text.startsWith('"') ? parseUpstreamObject(`{"text":${text}}`)?.text : null;
  return typeof read === "string" ? read : null;
}

/** Reads the text of a body. One that is not JSON says nothing. */
export const readRefusedText = (text: string): RefusedBody =>
  readRefused(
    embeddedValue(text) ?? stringIn(text) ?? embeddedValue(dataLine.exec(text)?.[1] ?? ""),
  );

const SAID_CHARACTERS_MAX = 500;

/** Text as one line. Of a page only what a reader would see. */
const oneLine = (text: string) =>
  text
    .slice(0, 4 * SAID_CHARACTERS_MAX)
    .replace(/<[^<>]{0,200}>/g, " ")
    .replace(/[\p{C}\p{Z}\s]+/gu, " ")
    .trim()
    .slice(0, SAID_CHARACTERS_MAX);

/** What the upstream said, for `UpstreamFailure.said`: its sentences, or else the text of the body. */
export function saidIn({ texts }: RefusedBody, body = ""): { readonly said?: string } {
  const said = oneLine(texts.length > 0 ? [...new Set(texts)].join(" · ") : body);
  return said === "" ? {} : { said };
}
