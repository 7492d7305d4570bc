import { expect, test } from "vitest";
import { shadowUsage } from "./shadow-usage";

const used = (other: object) =>
  shadowUsage({ prompt_tokens: 1000, completion_tokens: 7, other: JSON.stringify(other) });

test("tokens that were written to a cache are counted once, however the log names them", () => {
  const written = { inputTokens: 1000, cacheWriteTokens: 30 };
  for (const other of [
    { cache_creation_tokens: 30 },
    { cache_creation_tokens_5m: 10, cache_creation_tokens_1h: 20 },
    { cache_creation_tokens: 0, cache_creation_tokens_1h: 30, cache_write_tokens: 30 },
    { cache_creation_tokens: 30, cache_creation_tokens_5m: 10, cache_write_tokens: 30 },
  ])
    expect(used(other), JSON.stringify(other)).toMatchObject(written);
  expect(used({ claude: true, cache_tokens: 400, cache_creation_tokens_1h: 30 })).toMatchObject({
    inputTokens: 1430,
    cachedInputTokens: 400,
    cacheWriteTokens: 30,
  });
});
