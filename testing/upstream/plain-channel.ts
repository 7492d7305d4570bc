import type { Channel } from "@/lib/upstream/provider";

/** A channel without limits, which nothing serves. */
export const plainChannel = (id: string, overrides: Partial<Channel> = {}): Channel => ({
  id,
  name: id,
  protocol: "openai",
  baseUrl: "http://127.0.0.1:1",
  apiKey: null,
  models: { RelayV1: "m" },
  requestsPerSecond: 0,
  requestsPerMinute: 0,
  priority: 0,
  weight: 1,
  timeoutSeconds: null,
  ...overrides,
});
