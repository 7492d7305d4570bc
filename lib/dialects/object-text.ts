/**
 * The arguments of one call while they come: a text that should be one JSON object. What may be sent
 * is always the beginning of such a text, so a client never gets an object that cannot be read.
 */
import { jsonIn } from "../values/json-in";

const HEAD_CHARACTERS_MAX = 64 * 1024;
const DEPTH_MAX = 512;

/** Texts that stand for no arguments: some upstreams write their languages' words for it. */
const nothing: readonly string[] = ["", "null", "[]"];
/** Some models write arguments as code in a text. What follows an object is left out anyway. */
const fence = /^\s*```(?:json)?\s*(?=\{)/;
const waiting: readonly string[] = [...nothing, "```json"];
const controls: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const scalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
const beginning = /^\s*\{\s*(?=")/;
/** An object without members: some upstreams write it before the real one. */
const empty = /^\s*\{\s*\}\s*/;

const special = /["\\\p{Cc}]/gu;

/**
 * The characters from `at` that mean nothing but themselves in a string. The next other one is looked
 * for: an expression that matches millions of them at once can exhaust its stack.
 */
function plainRun(text: string, at: number): string {
  special.lastIndex = at;
  return text.slice(at, special.exec(text)?.index);
}

const escaped = (text: string) => JSON.stringify(text).slice(1, -1);

/** Arguments that are whole: an object, or what was written for it as a member of one. */
export function wholeObject(text: string): string {
  const object = new ObjectText();
  const whole = object.push(text) + object.end();
  return object.isBroken ? JSON.stringify({ invalid_json: text }) : whole;
}

type Expected = "name" | "first-name" | "colon" | "value" | "first-value" | "comma";

export class ObjectText {
  /** What came before it was known what it is; null since then. */
  #head: string | null = "";
  /** True for a text that is no object: it is sent as a member of one, which the tool refuses. */
  #isWrapped = false;
  #isBroken = false;
  /** The closing brackets that are due. */
  readonly #due: string[] = [];
  #expected: Expected = "value";
  #inString = false;
  /** An escape, and a number or a word, that has begun: it is sent when it is whole. */
  #escape = "";
  #scalar = "";

  /** Nothing more of it is sent: the object is complete, or broken. */
  get isOver(): boolean {
    if (this.#head !== null) return this.isEmpty;
    return this.#isBroken || (!this.#isWrapped && this.#due.length === 0);
  }

  /** An object without members, which is sent at the end: the real one may follow. */
  get isEmpty(): boolean {
    return this.#head !== null && empty.test(this.#head);
  }

  /** The object can no longer become complete. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Takes the next piece, and returns what may be sent. */
  push(piece: string): string {
    if (this.#head === null) return this.#isWrapped ? escaped(piece) : this.#follow(piece);
    this.#head = (this.#head + piece).replace(fence, "");
    if (empty.test(this.#head)) return this.#afterEmpty(this.#head.replace(empty, ""));
    if (beginning.test(this.#head)) return this.#begin(this.#head);
    const head = this.#head.trim();
    if (head === "{" || waiting.some((word) => word.startsWith(head))) return "";
    if (head.startsWith('"') && head.length <= HEAD_CHARACTERS_MAX) {
      const inner = jsonIn(head);
      if (typeof inner !== "string") return "";
      if (beginning.test(inner)) return this.#begin(inner);
      if (empty.test(inner)) return this.#afterEmpty("");
    }
    return this.#wrap(this.#head);
  }

  /** What follows an object without members, unless it may be another one, is left out. */
  #afterEmpty(rest: string): string {
    if (beginning.test(rest)) return this.#begin(rest);
    this.#head = `{}${rest.startsWith("{") ? "{" : ""}`;
    return "";
  }

  /** What is missing at the end, as far as it can be known. */
  end(): string {
    if (this.#isWrapped) return '"}';
    if (this.#head === null) {
      this.#isBroken ||= this.#due.length > 0;
      return "";
    }
    if (this.isEmpty) {
      this.#head = null;
      return "{}";
    }
    const head = this.#head.trim();
    if (/^["`]/.test(head)) return `${this.#wrap(this.#head)}"}`;
    // An object of which only the beginning came.
    this.#isBroken = !nothing.includes(head);
    return "{}";
  }

  #wrap(text: string): string {
    this.#head = null;
    this.#isWrapped = true;
    return `{"invalid_json":"${escaped(text)}`;
  }

  #begin(text: string): string {
    this.#head = null;
    this.#due.push("}");
    this.#expected = "first-name";
    return `{${this.#follow(text.trimStart().slice(1))}`;
  }

  #follow(text: string): string {
    let sent = "";
    for (let at = 0; at < text.length && !this.#isBroken && this.#due.length > 0; ) {
      const run = this.#inString && this.#escape === "" ? plainRun(text, at) : "";
      at += run.length;
      sent += run;
      if (run !== "") continue;
      const character = text.charAt(at++);
      sent += this.#inString ? this.#inText(character) : this.#between(character);
    }
    return sent;
  }

  #inText(character: string): string {
    if (this.#escape !== "") return this.#inEscape(character);
    if (character === "\\") {
      this.#escape = character;
      return "";
    }
    if (character === '"') {
      this.#inString = false;
      this.#expected = this.#expected === "colon" ? "colon" : "comma";
    }
    return character < " " ? (controls[character] ?? escaped(character)) : character;
  }

  /** An escape that JSON does not have is a backslash that was meant as such. */
  #inEscape(character: string): string {
    const begun = this.#escape;
    const whole = begun + character;
    this.#escape = "";
    if (/^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})$/.test(whole)) return whole;
    if (/^\\u[\da-fA-F]{0,3}$/.test(whole)) {
      this.#escape = whole;
      return "";
    }
    return whole === "\\'" ? "'" : `\\${begun}${this.#inText(character)}`;
  }

  #between(character: string): string {
    if (/[-+.\w]/.test(character)) {
      const isValue = this.#expected === "value" || this.#expected === "first-value";
      if (!isValue || this.#scalar.length > 400) return this.#break();
      this.#scalar += character;
      return "";
    }
    let sent = "";
    if (this.#scalar !== "") {
      if (!scalar.test(this.#scalar)) return this.#break();
      sent = this.#scalar;
      this.#scalar = "";
      this.#expected = "comma";
    }
    if (/\s/.test(character)) return sent + (character === "\n" ? character : " ");
    return this.#take(character) ? sent + character : sent + this.#break();
  }

  /** A bracket, a quote, a colon or a comma. False where it must not be. */
  #take(character: string): boolean {
    const expected = this.#expected;
    const isValue = expected === "value" || expected === "first-value";
    const due = this.#due.at(-1);
    if (character === '"' && expected !== "comma" && expected !== "colon") {
      this.#inString = true;
      this.#expected = isValue ? "value" : "colon";
    } else if (character === ":" && expected === "colon") this.#expected = "value";
    else if (character === "," && expected === "comma")
      this.#expected = due === "}" ? "name" : "value";
    else if (character === "{" && isValue) return this.#open("}", "first-name");
    else if (character === "[" && isValue) return this.#open("]", "first-value");
    else if (character === due && (expected === "comma" || expected.startsWith("first"))) {
      this.#due.pop();
      this.#expected = "comma";
    } else return false;
    return true;
  }

  #open(close: string, expected: Expected): boolean {
    this.#expected = expected;
    return this.#due.push(close) <= DEPTH_MAX;
  }

  #break(): string {
    this.#isBroken = true;
    return "";
  }
}
