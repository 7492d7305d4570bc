/**
 * A JSON value at the beginning of a text, as gateways write the error of the server behind them: as
 * it came, or as Python prints it, and with words of their own after it.
 */
import { jsonIn } from "../../values/json-in";
import { isTame } from "./upstream-json";

/** A string of either kind, a name, a number, or one character. */
const tokens = /'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|[A-Za-z_][\w.]*|\d[\w.]*|[\s\S]/g;
const closing: ReadonlyMap<string, string> = new Map([
  ["{", "}"],
  ["[", "]"],
  ["(", "]"],
]);
const names: ReadonlyMap<string, string> = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
  ["true", "true"],
  ["false", "false"],
  ["null", "null"],
]);
const escapes: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

const parsed = (text: string): unknown => (isTame(text) ? jsonIn(text) : null) ?? null;

const asString = (quoted: string) =>
  typeof parsed(quoted) === "string"
    ? quoted
    : JSON.stringify(
        quoted.slice(1, -1).replace(/\\([\s\S])/g, (_, sign: string) => escapes.get(sign) ?? sign),
      );

/** The value's JSON: tuples are lists, and of what a constructor made only its arguments are left. */
function jsonOf(text: string): string {
  const due: string[] = [];
  let json = "";
  let comma = "";
  for (const [token] of text.matchAll(tokens)) {
    const close = closing.get(token);
    if (token === "}" || token === "]" || token === ")") {
      json += due.pop() ?? "";
      comma = "";
      if (due.length === 0) return json;
    } else if (token === ",") comma = token;
    else if (token.trim() !== "") {
      json += comma;
      comma = "";
      if (close !== undefined) due.push(close);
      if (close !== undefined) json += close === "}" ? "{" : "[";
      else if (/^['"]/.test(token) && token.length > 1) json += asString(token);
      else json += /^[A-Za-z_]/.test(token) ? (names.get(token) ?? "") : token;
    }
  }
  return json;
}

/** As much as is read of an error's body. Beyond some millions, a string exhausts the expression's stack. */
const CHARACTERS_MAX = 64 * 1024;

/** Null when the text does not begin with an object or a list, or is too long. */
export function embeddedValue(text: string): unknown {
  const begun = text.trimStart();
  return begun.length <= CHARACTERS_MAX && /^[{[]/.test(begun)
    ? (parsed(begun) ?? parsed(jsonOf(begun)))
    : null;
}
