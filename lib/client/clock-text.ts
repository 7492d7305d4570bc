const twoDigits = (value: number) => String(value).padStart(2, "0");

/** `0:38`, or `3:43:37` from an hour on. */
export function clockText(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60)];
  const end = twoDigits(seconds % 60);
  return hours > 0 ? `${hours}:${twoDigits(minutes % 60)}:${end}` : `${minutes}:${end}`;
}
