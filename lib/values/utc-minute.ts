/** A moment as texts without a reader have it, such as mails: `2026-12-01 00:00 UTC`. */
export const utcMinute = (at: string): string =>
  `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;

const form = /(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/;

/** A text in parts, where every second one is a moment of `utcMinute`, as ISO 8601. */
export function atMoments(text: string): string[] {
  const found = form.exec(text);
  if (found === null) return [text];
  const [whole, day, time] = found;
  const after = text.slice(found.index + whole.length);
  return [text.slice(0, found.index), `${day}T${time}:00Z`, ...atMoments(after)];
}
