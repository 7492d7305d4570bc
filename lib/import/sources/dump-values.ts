/** Reads the values of an INSERT of a MySQL dump: `(1,'a',NULL),(2,…);`. */

const [COMMA, QUOTE, BACKSLASH, OPEN, CLOSE] = [44, 39, 92, 40, 41];

/** What a backslash means before a letter; before any other sign it is that sign. */
const escapes: Readonly<Record<string, string>> = {
  "0": "\0",
  b: "\b",
  n: "\n",
  r: "\r",
  t: "\t",
  Z: "\x1a",
};

interface Read {
  readonly value: string | null;
  /** The place after it. */
  readonly end: number;
}

function readQuoted(line: string, start: number): Read {
  let value = "";
  let from = start;
  for (let at = start; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === BACKSLASH) {
      const sign = line[at + 1] ?? "";
      value += line.slice(from, at) + (escapes[sign] ?? sign);
      at++;
      from = at + 1;
    } else if (code === QUOTE) {
      value += line.slice(from, at);
      if (line.charCodeAt(at + 1) !== QUOTE) return { value, end: at + 1 };
      value += "'";
      at++;
      from = at + 1;
    }
  }
  throw new Error("The dump has a text that does not end on its line.");
}

/** A number, NULL, or a text with or without a mark of its character set before it. */
function readValue(line: string, start: number): Read {
  let at = start;
  for (; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === QUOTE) return readQuoted(line, at + 1);
    if (code === COMMA || code === CLOSE) break;
  }
  const bare = line.slice(start, at).trim();
  return { value: bare.toUpperCase() === "NULL" ? null : bare, end: at };
}

/** The rows of one line, from `start` on, each with the values in their order. */
export function* dumpRows(line: string, start: number): Generator<(string | null)[]> {
  let at = start;
  for (;;) {
    while (at < line.length && line.charCodeAt(at) !== OPEN) at++;
    if (at >= line.length) return;
    const row: (string | null)[] = [];
    at++;
    for (;;) {
      const { value, end } = readValue(line, at);
      row.push(value);
      at = line.indexOf(line.charCodeAt(end) === COMMA ? "," : ")", end);
      if (at < 0) throw new Error("The dump has a row that does not end on its line.");
      const isLast = line.charCodeAt(at) === CLOSE;
      at++;
      if (isLast) break;
    }
    yield row;
  }
}
