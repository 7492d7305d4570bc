import pino from "pino";
import { expect, test } from "vitest";
import { redaction, serializers } from "./log";

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

test("an event's error is readable, alone and beside other facts", () => {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const log = pino({ redact: redaction, serializers }, { write });
  log.warn({ event: "a", detail: new Error("no connection") }, "ledger");
  log.warn({ event: "b", detail: { id: "7", error: new Error("too late") } }, "ledger");
  log.warn({ event: "c", detail: 3 }, "ledger");
  expect(lines.map((line) => JSON.parse(line).detail)).toMatchObject([
    { type: "Error", message: "no connection" },
    { id: "7", error: { type: "Error", message: "too late" } },
    3,
  ]);
});
