/** The sandbox's text: it says that it is a sandbox, and something related to the prompt. */
import { type Misbehaviour, withoutOrders } from "./misbehaviour";
import { countInTurns, type Tokens, tokensIn } from "./tokens";

export const INTRODUCTION = "This is the sandbox upstream, not a real model.";
const QUOTE_CHARACTERS_MAX = 160;
const ARITHMETIC_CHARACTERS_MAX = 2_000;

const sum = /(-?\d{1,9}(?:\.\d{1,6})?)\s*([+\-*×x/÷])\s*(-?\d{1,9}(?:\.\d{1,6})?)/;

const greeting = /^(say )?(hi|hello|hey|good (morning|evening|day))\b|^(说)?(你好|您好)/i;

function arithmetic(prompt: string): string | null {
  const [whole, left, sign, right] = sum.exec(prompt.slice(0, ARITHMETIC_CHARACTERS_MAX)) ?? [];
  if (whole === undefined) return null;
  const [a, b] = [Number(left), Number(right)];
  const result =
    sign === "+" ? a + b : sign === "-" ? a - b : sign === "/" || sign === "÷" ? a / b : a * b;
  return Number.isFinite(result)
    ? `${whole.trim()} = ${Number(result.toFixed(6))}.`
    : "Division by zero is not defined.";
}

const quoted = (text: string): string =>
  text.length > QUOTE_CHARACTERS_MAX ? `${text.slice(0, QUOTE_CHARACTERS_MAX)}…` : text;

/** The result of a tool, as the conversation contains it. */
export interface ToolResult {
  readonly tool: string;
  readonly text: string;
}

/** An answer to the prompt, or to the results of the tools that were called. */
export async function answerTo(
  prompt: string,
  results: readonly ToolResult[] = [],
): Promise<string> {
  if (results.length > 0)
    return results
      .map(({ tool, text }) => `The tool ${tool} answered: “${quoted(text)}”.`)
      .join(" ");
  const clean = withoutOrders(prompt);
  if (clean === "")
    return "Send a message; the sandbox will answer in this way, word by word, with its tokens counted.";
  const result = arithmetic(clean);
  if (result) return result;
  if (greeting.test(clean)) return "Hello! Everything between you and this sandbox works.";
  const words = await countInTurns([clean]);
  return `You wrote ${words} token${words === 1 ? "" : "s"}: “${quoted(clean)}”. A real model would answer here; everything else (streaming, token counts and billing) works as it does with a real model.`;
}

/** The answer's tokens. */
export async function replyTokens(
  prompt: string,
  results: readonly ToolResult[],
  order: Misbehaviour,
): Promise<Tokens> {
  if (order.outputTokens !== null) return filler(order.outputTokens);
  return tokensIn(`${INTRODUCTION} ${await answerTo(prompt, results)}`);
}

function filler(length: number): Tokens {
  const words = tokensIn(INTRODUCTION);
  const text = (from: number, to: number) => {
    const end = Math.min(to, length);
    return (
      words.text(from, Math.min(end, words.length)) +
      " sandbox".repeat(Math.max(0, end - Math.max(from, words.length)))
    );
  };
  return { length, text };
}
