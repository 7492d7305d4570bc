import { keepLine } from "../unit/recent-lines";

/** A log that a test can read: every line, and the fields of those that carry an alarm. */
export function collectingLog(alarms: Record<string, unknown>[], logged: string[]) {
  const write = (fields: object, message: string) => {
    const { err } = fields as { err?: unknown };
    const line = `${message} ${JSON.stringify(fields)} ${err instanceof Error ? err.stack : ""}`;
    logged.push(line);
    keepLine(line);
    if ("alarm" in fields) alarms.push(fields as Record<string, unknown>);
  };
  return { info: write, warn: write, error: write };
}
