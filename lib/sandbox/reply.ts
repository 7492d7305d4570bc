/** What the sandbox says: that it is one, and something sensible to the prompt. */
import type { Misbehaviour } from "./misbehaviour";
import { tokensOf } from "./tokens";

const INTRODUCTION = "This is the sandbox upstream, not a real model.";
const QUOTE_CHARACTERS_MAX = 160;

const sum = /(-?\d{1,9}(?:\.\d{1,6})?)\s*([+\-*×x/÷])\s*(-?\d{1,9}(?:\.\d{1,6})?)/;

function arithmetic(prompt: string): string | null {
  const [whole, left, sign, right] = sum.exec(prompt) ?? [];
  if (whole === undefined) return null;
  const [a, b] = [Number(left), Number(right)];
  const result = sign === "+" ? a + b : sign === "-" ? a - b : sign === "/" || sign === "÷" ? a / b : a * b;
  return Number.isFinite(result) ? `${whole.trim()} = ${Number(result.toFixed(6))}.` : "Nothing can be divided by zero.";
}

function answerTo(prompt: string): string {
  const clean = prompt.replace(/\[\[[^\]]*\]\]/g, "").trim();
  if (clean === "") return "Send it a message and it will answer in this way, word by word, with its tokens counted.";
  const result = arithmetic(clean);
  if (result) return result;
  if (/^(hi|hello|hey|good (morning|evening|day)|你好|您好)\b/i.test(clean)) return "Hello! Everything between you and this line works.";
  const words = tokensOf(clean).length;
  const quote = clean.length > QUOTE_CHARACTERS_MAX ? `${clean.slice(0, QUOTE_CHARACTERS_MAX)}…` : clean;
  return `You wrote ${words} token${words === 1 ? "" : "s"}: “${quote}”. A real model would answer that here; everything else, the streaming, the counting and the billing, is as it will be.`;
}

/** The reply cut to `outputTokensMax`, as its tokens. */
export function replyTokens(prompt: string, order: Misbehaviour, outputTokensMax: number): { tokens: string[]; isCut: boolean } {
  const whole = order.outputTokens === null ? tokensOf(`${INTRODUCTION} ${answerTo(prompt)}`) : filler(order.outputTokens);
  const isCut = whole.length > outputTokensMax;
  return { tokens: isCut ? whole.slice(0, outputTokensMax) : whole, isCut };
}

function filler(count: number): string[] {
  const words = tokensOf(INTRODUCTION);
  return Array.from({ length: count }, (_, index) => (index < words.length ? (words[index] as string) : " sandbox"));
}
