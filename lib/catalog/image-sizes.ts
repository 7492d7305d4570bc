/** Tokens of an image: its pixels / 256, rounded. */
export function imageTokens(width: number, height: number): number {
  return Math.round((width * height) / 256);
}

/** Parses `2048x2048`; null when the text has another form. */
export function parseImageSize(text: string): readonly [width: number, height: number] | null {
  const match = /^(\d{1,5})x(\d{1,5})$/.exec(text);
  return match ? [Number(match[1]), Number(match[2])] : null;
}
