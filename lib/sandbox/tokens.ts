import { nextTurn } from "../timing/next-turn";

/**
 * The sandbox's tokenizer: a word with the spaces before it, or any other single character, is one
 * token. A token is at least one byte long, so a text never counts more tokens than it has bytes.
 */
const token = /\s*[\p{L}\p{N}\p{M}]+|\s*[^\s\p{L}\p{N}\p{M}]|\s+$/gu;

/** The tokens of a text; joined they give the text again. */
export function tokensOf(text: string): string[] {
  return text.match(token) ?? [];
}

/** The tokens of an answer. A long one is generated only as it is sent. */
export interface Tokens {
  readonly length: number;
  /** The tokens in a range, joined. */
  text(from: number, to: number): string;
}

export const tokensIn = (text: string): Tokens => {
  const tokens = tokensOf(text);
  return { length: tokens.length, text: (from, to) => tokens.slice(from, to).join("") };
};

const PART_CHARACTERS = 1 << 18;

const WORD = 1;
const SPACE = 2;
const OTHER = 3;
const isWord = /[\p{L}\p{N}\p{M}]/u;
const isSpace = /\s/;

/**
 * The kind of each code point, 0 when it is not known yet: matching one expression per character is
 * too slow for a long text.
 */
const kinds = new Uint8Array(0x110000);

function kindOf(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  const kind = isWord.test(character) ? WORD : isSpace.test(character) ? SPACE : OTHER;
  kinds[codePoint] = kind;
  return kind;
}

/** Counts the tokens of one text that is given in parts. */
class TokenCount {
  #count = 0;
  #last = OTHER;

  /** Counts a range; returns where to continue. No character is split. */
  add(text: string, from: number, to: number): number {
    let at = from;
    for (; at < to; at++) {
      let codePoint = text.charCodeAt(at);
      if (codePoint >= 0xd800) {
        codePoint = text.codePointAt(at) ?? codePoint;
        if (codePoint > 0xffff) at++;
      }
      const kind = kinds[codePoint] || kindOf(codePoint);
      if (kind === OTHER || (kind === WORD && this.#last !== WORD)) this.#count++;
      this.#last = kind;
    }
    return at;
  }

  total(): number {
    return this.#last === SPACE ? this.#count + 1 : this.#count;
  }
}

/**
 * The number of tokens of a short text. Use `countInTurns` for a text whose length a client chose.
 */
export function countTokens(text: string): number {
  const count = new TokenCount();
  count.add(text, 0, text.length);
  return count.total();
}

/** The number of tokens of all texts. Other work gets its turn after every `PART_CHARACTERS`. */
export async function countInTurns(texts: Iterable<string>): Promise<number> {
  let total = 0;
  let left = PART_CHARACTERS;
  for (const text of texts) {
    const count = new TokenCount();
    for (let at = 0; at < text.length; ) {
      const from = at;
      at = count.add(text, from, Math.min(text.length, from + left));
      left -= at - from;
      if (left > 0) continue;
      await nextTurn();
      left = PART_CHARACTERS;
    }
    total += count.total();
  }
  return total;
}

/**
 * The input tokens of a conversation: those of its texts and tool calls, and two for each message.
 */
export async function inputTokensOf(
  messages: readonly { readonly content: unknown; readonly tool_calls?: unknown }[],
): Promise<number> {
  const texts = function* () {
    for (const { content, tool_calls } of messages) {
      yield textOf(content);
      yield jsonOf(tool_calls);
    }
  };
  return 2 * messages.length + (await countInTurns(texts()));
}

/** The JSON text of a request's definitions, such as its tools. */
export function jsonOf(value: unknown): string {
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

/** The text of a message's content, in either of its two forms. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: { text?: unknown } | null) => (typeof part?.text === "string" ? part.text : ""))
    .join("\n");
}
