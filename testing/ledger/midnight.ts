/** A zone in which it is midnight so many milliseconds after the moment. */
export function zoneWithMidnightIn(milliseconds: number, moment = Date.now()): string {
  const seconds = Math.ceil((moment + milliseconds) / 1000) % 86_400;
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60];
  return `XXX+${parts.map((part) => String(Math.floor(part)).padStart(2, "0")).join(":")}`;
}
