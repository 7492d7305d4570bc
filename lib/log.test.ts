import pino from "pino";
import { expect, test } from "vitest";
import { redaction } from "./log";

test("no field that usually contains a credential reaches a log line", () => {
  let written = "";
  const write = (line: string) => {
    written += line;
  };
  const log = pino({ redact: redaction }, { write });
  const canary = "sk-rly-canary";
  log.info(
    {
      authorization: canary,
      headers: { authorization: canary, "set-cookie": canary },
      request: { headers: { cookie: canary } },
    },
    "a",
  );
  log.warn(
    {
      password: canary,
      channel: { apiKey: canary },
      account: { user: { password: canary } },
      body: { api_key: canary },
    },
    "b",
  );
  expect(written.match(/\[secret\]/g)).toHaveLength(8);
  expect(written).not.toContain(canary);
});
