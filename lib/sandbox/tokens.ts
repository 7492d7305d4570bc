/**
 * The sandbox's tokenizer: a word with the spaces before it, or a single other character, is one token. No token is
 * shorter than one byte, so a text never counts more tokens than it has bytes.
 */
const token = /\s*[\p{L}\p{N}\p{M}]+|\s*[^\s\p{L}\p{N}\p{M}]|\s+$/gu;

/** The text cut into its tokens; joined they are the text again. */
export function tokensOf(text: string): string[] {
  return text.match(token) ?? [];
}

/** Tokens that a conversation counts as input: those of its texts and two for each message. */
export function inputTokensOf(messages: readonly { readonly content: unknown }[]): number {
  let count = 0;
  for (const { content } of messages) count += 2 + tokensOf(textOf(content)).length;
  return count;
}

/** The text of a message's content, whichever of its two shapes it has. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { text?: unknown } | null) => (typeof part?.text === "string" ? part.text : "")).join("\n");
}
