/**
 * Formulas as models write them, in the one form that the page reads: `$$…$$`, on lines of their
 * own for formulas that are not within a sentence. Code stays as it is.
 */

/** Blocks of code, also one that has not ended yet, and code within a line. */
const code = /(```[\s\S]*?(?:```|$)|`[^`\n]*`)/;
/** Within a line, as an amount of money is not: no space inside, no digit after it. */
const inDollars = /(?<![\\$\d])\$(?![\s$])([^$\n]{1,500}?)(?<![\s\\])\$(?![\d$])/g;
const inParentheses = /\\\(([^\n]{1,500}?)\\\)/g;
const apart = /\\\[([\s\S]{1,2000}?)\\\]/g;

/** Whether there may be a formula; what reads formulas is large, and loaded only then. */
export const hasMath = (text: string): boolean => /\$|\\[([]/.test(text);

function readable(text: string): string {
  return text
    .replace(apart, (_, formula: string) => `\n\n$$\n${formula.trim()}\n$$\n\n`)
    .replace(inParentheses, (_, formula: string) => `$$${formula.trim()}$$`)
    .replace(inDollars, (_, formula: string) => `$$${formula}$$`);
}

export const withMath = (text: string): string =>
  text
    .split(code)
    .map((part, at) => (at % 2 === 1 ? part : readable(part)))
    .join("");
