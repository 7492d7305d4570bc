/** How many characters must be changed, added or removed to turn one short text into another. */
export function editDistance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let row = 1; row <= from.length; row++) {
    const own = [row];
    for (let at = 1; at <= to.length; at++) {
      const changed = (above[at - 1] ?? 0) + (from[row - 1] === to[at - 1] ? 0 : 1);
      own.push(Math.min(changed, (above[at] ?? 0) + 1, (own[at - 1] ?? 0) + 1));
    }
    above = own;
  }
  return above[to.length] ?? 0;
}
