/** Numbers of the documentation that stand elsewhere in code a page cannot reach; a test holds them to it. */
export const callLimits = {
  requestsPerMinute: 60,
  pollsPerMinute: 600,
  chatBodyMebibytes: 4,
  mediaBodyMebibytes: 32,
  promptCharacters: 20_000,
} as const;
