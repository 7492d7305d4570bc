import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { endpoints } from "../contract/endpoints";
import { imageRequest } from "../contract/image";
import { POLLS_PER_MINUTE } from "../limits/key-limiter";
import { callLimits } from "./limits";

test("the documentation's limits are those in force", () => {
  expect(callLimits.pollsPerMinute).toBe(POLLS_PER_MINUTE);
  expect(callLimits.chatBodyMebibytes * 1024 * 1024).toBe(endpoints.createChatCompletion.bodyBytesMax);
  expect(callLimits.mediaBodyMebibytes * 1024 * 1024).toBe(endpoints.createVideoTask.bodyBytesMax);
  const ask = (characters: number) => imageRequest.safeParse({ model: "a", prompt: "x".repeat(characters) }).success;
  expect([ask(callLimits.promptCharacters), ask(callLimits.promptCharacters + 1)]).toEqual([true, false]);
  const schema = readFileSync(join(import.meta.dirname, "../../prisma/schema.prisma"), "utf8");
  const [, byDefault] = /model ApiKey \{[^}]*requestsPerMinute +Int +@default\((\d+)\)/.exec(schema) ?? [];
  expect(callLimits.requestsPerMinute).toBe(Number(byDefault));
});
