import pino from "pino";

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

const destination = pino.destination({ fd: 2, sync: true });
// The reader of the log may be gone; that must not end the server.
destination.on("error", () => {});

/** The server's log: one JSON object per line, on standard error. */
export const log = pino(
  { base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: redaction },
  destination,
);
