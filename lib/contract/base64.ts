/** Base64 in texts as long as a body. */

function isBase64(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 47 && code <= 57) ||
    code === 43
  );
}

/** How many characters there are from `start` on; 0 for another form. A regular expression would need a stack as deep. */
export function base64Length(text: string, start = 0): number {
  let end = text.length;
  while (end > text.length - 2 && text.charCodeAt(end - 1) === 61) end--;
  for (let at = start; at < end; at++) if (!isBase64(text.charCodeAt(at))) return 0;
  return Math.max(0, end - start);
}
