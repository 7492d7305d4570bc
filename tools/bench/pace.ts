/** What the upstream and the callers of paced streams agree on. */

/** A request that contains it gets its chunks one by one. */
export const PACED = "[paced]";
export const CHUNK_MS = 50;
export const CHUNKS = 40;

/** Microseconds of the clock that all processes of the machine share, always so many digits. */
const DIGITS = 14;
const microseconds = () => Number(process.hrtime.bigint() / 1000n);

/** When a chunk was sent, for its content. */
export const stamp = () => `@${String(microseconds()).padStart(DIGITS, "0")}@`;
export const STAMP_LENGTH = DIGITS + 2;

const stamps = new RegExp(`@(\\d{${DIGITS}})@`, "g");

/** How long ago each chunk in the text was sent, in milliseconds. */
export function delaysIn(text: string): number[] {
  const now = microseconds();
  return Array.from(text.matchAll(stamps), ([, sentAt]) => (now - Number(sentAt)) / 1000);
}
