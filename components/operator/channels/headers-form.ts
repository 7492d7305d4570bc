/** The headers of a channel as text, one a line. */
import { headerProblem } from "@/lib/contract/channel-headers";
import { CHANNEL_HEADERS_MAX } from "@/lib/contract/limits";

export const headersText = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

/** Null when a line is no header that can be sent, or a name comes twice. */
export function headersOf(text: string): Record<string, string> | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const entries = lines.map((line): [string, string] => {
    const at = line.indexOf(":");
    return [line.slice(0, Math.max(at, 0)).trim().toLowerCase(), line.slice(at + 1).trim()];
  });
  const isGood = entries.every(([name, value]) => headerProblem(name, value) === null);
  const headers = Object.fromEntries(entries);
  const isWhole = Object.keys(headers).length === lines.length;
  return isGood && isWhole && lines.length <= CHANNEL_HEADERS_MAX ? headers : null;
}
