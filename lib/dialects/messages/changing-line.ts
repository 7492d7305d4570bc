/**
 * Claude Code begins its instructions with a line of its own that differs in each request. It is meant
 * for Anthropic's bills and says nothing to a model; behind it nothing would be found in a prompt cache.
 */
const line = /^x-anthropic-billing-header:[^\n]*\n?/;

export const withoutChangingLine = (text: string): string => text.replace(line, "");

/** The blocks of instructions without that line, and without a block that is nothing else. */
export const unchanging = <Block extends { readonly text?: unknown }>(
  blocks: readonly Block[],
): Block[] =>
  blocks.flatMap((block) => {
    if (typeof block.text !== "string" || !line.test(block.text)) return [block];
    const text = withoutChangingLine(block.text);
    return text === "" ? [] : [{ ...block, text }];
  });
