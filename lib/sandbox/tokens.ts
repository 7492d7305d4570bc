/**
 * The sandbox's tokenizer: a word with the spaces before it, or a single other character, is one token. No token is
 * shorter than one byte, so a text never counts more tokens than it has bytes.
 */
const token = /\s*[\p{L}\p{N}\p{M}]+|\s*[^\s\p{L}\p{N}\p{M}]|\s+$/gu;

/** The text cut into its tokens; joined they are the text again. */
export function tokensOf(text: string): string[] {
  return text.match(token) ?? [];
}

const isWord = /[\p{L}\p{N}\p{M}]/u;
const isSpace = /\s/;
type Kind = "word" | "space" | "other";
const kindOf = (character: string): Kind => (isWord.test(character) ? "word" : isSpace.test(character) ? "space" : "other");
const asciiKinds: readonly Kind[] = Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code)));

/** How many tokens a text has, without making them: a long text is counted in the time that it takes to read it. */
export function countTokens(text: string): number {
  let count = 0;
  let last: Kind = "other";
  for (let at = 0; at < text.length; at++) {
    let kind = asciiKinds[text.charCodeAt(at)];
    if (kind === undefined) {
      const character = String.fromCodePoint(text.codePointAt(at) as number);
      kind = kindOf(character);
      at += character.length - 1;
    }
    if (kind === "other" || (kind === "word" && last !== "word")) count++;
    last = kind;
  }
  return last === "space" ? count + 1 : count;
}

/** Tokens that a conversation counts as input: those of its texts and calls, and two for each message. */
export function inputTokensOf(messages: readonly { readonly content: unknown; readonly tool_calls?: unknown }[]): number {
  let count = 0;
  for (const { content, tool_calls } of messages) count += 2 + countTokens(textOf(content)) + countJson(tool_calls);
  return count;
}

/** Tokens of what a request defines as JSON, such as its tools. */
export function countJson(value: unknown): number {
  return value === undefined || value === null ? 0 : countTokens(JSON.stringify(value));
}

/** The text of a message's content, whichever of its two shapes it has. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { text?: unknown } | null) => (typeof part?.text === "string" ? part.text : "")).join("\n");
}
