import { Fragment } from "react";

const strings = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\])*'|\`(?:\\.|[^\`\\])*\``;
const words =
  "import|from|const|let|for|of|in|await|async|function|return|if|else|while|do|done|throw|try|catch|new|instanceof|export|def|class|except|as|not|and|or|with|raise|print|echo|true|false|null|True|False|None";
/**
 * Comments come first, so that nothing inside one matches. The `//` of an address is not a comment.
 */
const pattern = new RegExp(
  String.raw`(?<comment>(?<![:"\w])(?:\/\/|#(?!!)).*)|(?<string>${strings})|(?<word>\b(?:${words})\b)`,
  "g",
);
const looks = { comment: "text-faint", string: "text-code", word: "font-medium" };

/** Highlights comments, strings and keywords; sufficient for the short samples on pages. */
export function Highlight({ code }: { code: string }) {
  const parts: { at: number; text: string; look?: string }[] = [];
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    const { comment, string } = match.groups as Record<string, string | undefined>;
    if (match.index > end) parts.push({ at: end, text: code.slice(end, match.index) });
    parts.push({
      at: match.index,
      text: match[0],
      look: comment ? looks.comment : string ? looks.string : looks.word,
    });
    end = match.index + match[0].length;
  }
  if (end < code.length) parts.push({ at: end, text: code.slice(end) });
  return parts.map(({ at, text, look }) =>
    look ? (
      <span key={at} className={look}>
        {text}
      </span>
    ) : (
      <Fragment key={at}>{text}</Fragment>
    ),
  );
}
