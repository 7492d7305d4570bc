/** What runs: written into the pages when they are built, by `next.config.mjs`. */
export function runningVersion() {
  return {
    version: process.env.RELAY_BUILD_VERSION ?? "0",
    commit: process.env.RELAY_BUILD_COMMIT || null,
    builtAt: process.env.RELAY_BUILT_AT || null,
  };
}
