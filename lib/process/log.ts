import pino from "pino";
import { isRecord } from "../values/records";
import { readWorkerIdentity } from "./worker-identity";

const secretNames = [
  "authorization",
  "cookie",
  "password",
  "apiKey",
  "api_key",
  "secret",
  "token",
  "credential",
  "databaseUrl",
];

/** Replaces secrets in log lines, at the top level and one and two levels below. */
export const redaction = {
  paths: secretNames
    .flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
    .concat(['["set-cookie"]', '*["set-cookie"]', '*.*["set-cookie"]']),
  censor: "[secret]",
};

/** Errors have no members of their own that JSON would show. */
const shown = (value: unknown): unknown =>
  value instanceof Error ? pino.stdSerializers.err(value) : value;

/** Makes the errors of an event readable, alone or beside its facts. */
export const serializers = {
  detail: (detail: unknown) =>
    isRecord(detail) && !(detail instanceof Error)
      ? Object.fromEntries(Object.entries(detail).map(([name, value]) => [name, shown(value)]))
      : shown(detail),
};

const destination = pino.destination({ fd: 2, sync: true });
// The reader of the log may be gone; that must not end the server.
destination.on("error", () => {});

const place = readWorkerIdentity();

/**
 * The server's log: one JSON object per line, on standard error. A line of a worker has its number.
 */
export const log = pino(
  {
    base: place === null ? null : { worker: place.worker },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: redaction,
    serializers,
  },
  destination,
);
