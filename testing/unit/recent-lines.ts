/** The last lines that the relays of the running test have said. */
const LINES_MAX = 20;

export const recentLines: string[] = [];

export function keepLine(line: string): void {
  recentLines.push(line);
  if (recentLines.length > LINES_MAX) recentLines.shift();
}
