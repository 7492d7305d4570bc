/**
 * The settings of the environment or `.env`. `.env.example` lists all of them with their defaults.
 */
import { z } from "zod";
import { secondFactorRules, signUpModes } from "../contract/states";
import { amountPattern } from "../money/points";
import { parseTrustedProxies } from "../net/client-address";
import { readDatabaseUrl } from "../net/database-url";
import { shownValue } from "./shown-value";

/** What the sandbox drew, which pages show until an operator has examples. */
export const SANDBOX_EXAMPLES = "public/sandbox-examples";
/** Longer than any address, name or credential; a list of networks may need it. */
const VALUE_CHARACTERS_MAX = 8192;
/** More processes than this would wait for PostgreSQL and not for processors. */
const PROCESSES_MAX = 64;
/** A month is archived after three full months, and then kept beside its files for one more. */
const KEEP_MONTHS_LEAST = 4;
const KEEP_MONTHS_MAX = 600;
const any = z.string().max(VALUE_CHARACTERS_MAX);
/** A library that cannot send a value with a line break in it shows it in its error. */
const value = any.refine(
  (text) => !/\p{Cc}/u.test(text.trim()),
  "must be one line, without control characters",
);
const optional = value.min(1).optional();
const countOrNone = value.regex(
  /^(none|\d{1,6})$/,
  "must be a whole number from 0 to 999999, or none",
);
/** Each reason says what is wrong, and nothing of the value. */
const urlOf = (...protocols: string[]) =>
  value.superRefine((text, { addIssue }) => {
    const starts = protocols.map((protocol) => `${protocol}//`);
    if (!starts.some((start) => text.toLowerCase().startsWith(start)))
      addIssue(`must be a URL that starts with ${starts.join(" or ")}`);
    else if (!URL.canParse(text) || new URL(text).hostname === "")
      addIssue(
        "cannot be read as a URL: in a user and a password, each of / ? # @ % must be written as %2F %3F %23 %40 %25, and a port is a number",
      );
  });
/** Of a service whose clients take no user from its address. */
const plainUrl = urlOf("http:", "https:").refine(
  (text) => !/^[a-z]+:\/\/[^/?#]*@/i.test(text),
  "must have no user and no password in it",
);
const databaseUrl = value.superRefine((text, { addIssue }) => {
  try {
    readDatabaseUrl(text);
  } catch (error) {
    addIssue(error instanceof Error ? error.message : "cannot be read");
  }
});

export const settingsSchema = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  RELAY_PROCESSES: z
    .union([z.literal("auto"), z.coerce.number().int().min(1).max(PROCESSES_MAX)])
    .default("auto"),
  HOST: value.min(1).default("127.0.0.1"),
  PUBLIC_URL: plainUrl.optional(),
  RELAY_DATA_DIR: value.min(1).default(".data"),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_OWNER_URL: databaseUrl.optional(),
  REDIS_URL: urlOf("redis:", "rediss:").optional(),
  S3_ENDPOINT: plainUrl.optional(),
  S3_BUCKET: value
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be a bucket's name")
    .optional(),
  S3_REGION: value.min(1).default("us-east-1"),
  S3_ACCESS_KEY_ID: optional,
  S3_SECRET_ACCESS_KEY: optional,
  RELAY_SECRET: any.min(32, "must have at least 32 characters").optional(),
  RELAY_SECRET_PREVIOUS: any.min(32, "must have at least 32 characters").optional(),
  RELAY_SANDBOX: z.enum(["auto", "off", "on"]).default("auto"),
  RELAY_EXAMPLES_DIR: value.min(1).default(SANDBOX_EXAMPLES),
  RELAY_DEMO_ACCOUNTS: z.enum(["off", "on"]).default("off"),
  RELAY_CALLBACK_NETWORKS: z.enum(["public", "any"]).default("public"),
  RELAY_SIGNUP: z.enum(signUpModes).default("open"),
  RELAY_WELCOME_POINTS: value
    .regex(amountPattern, "must be a number of points from 0 with up to six decimals")
    .default("1000"),
  RELAY_WELCOME_PER_ADDRESS: countOrNone.default("3"),
  RELAY_WELCOME_PER_DOMAIN: countOrNone.default("3"),
  RELAY_WELCOME_VERIFIED: z.enum(["yes", "no"]).default("no"),
  RELAY_CORS: z.enum(["on", "off"]).default("on"),
  RELAY_SECOND_FACTOR: z.enum(secondFactorRules).default("auto"),
  RELAY_SECURITY_CONTACT: value
    .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, "must start with mailto: or https://")
    .optional(),
  RELAY_SUPPORT_CONTACT: value
    .regex(/^([^\s@:]+@[^\s@]+|https:\/\/\S+)$/, "must be a mail address or start with https://")
    .optional(),
  RELAY_KEEP_DELIVERY_DAYS: z.coerce.number().int().min(30).max(3650).default(30),
  RELAY_KEEP_REQUEST_MONTHS: z.coerce
    .number()
    .int()
    .max(KEEP_MONTHS_MAX)
    .refine((months) => months === 0 || months >= KEEP_MONTHS_LEAST, {
      error: `must be 0 (for ever), or from ${KEEP_MONTHS_LEAST} to ${KEEP_MONTHS_MAX}`,
    })
    .default(0),
  RELAY_KEEP_SIGN_IN_FAILURE_HOURS: z.coerce.number().int().min(1).max(720).default(1),
  METRICS_TOKEN: optional,
  STRIPE_SECRET_KEY: optional,
  STRIPE_WEBHOOK_SECRET: value.min(16, "must have at least 16 characters").optional(),
  STRIPE_API_BASE: plainUrl.default("https://api.stripe.com"),
  RELAY_LOG_LEVEL: z.enum(["debug", "info", "warn", "error"]).default("info"),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlOf("http:", "https:").optional(),
  OTEL_EXPORTER_OTLP_HEADERS: optional,
  OTEL_SERVICE_NAME: value.min(1).default("relay"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  RELAY_TRUSTED_PROXIES: value
    .refine(
      (text) => parseTrustedProxies(text) !== null,
      "must be addresses or CIDR ranges, separated by commas",
    )
    .optional(),
  RELAY_OPERATOR_ADDRESSES: value
    .refine(
      (text) => /[^\s,]/.test(text) && parseTrustedProxies(text) !== null,
      "must be addresses or CIDR ranges, separated by commas",
    )
    .optional(),
  GITHUB_ID: optional,
  GITHUB_SECRET: optional,
  GOOGLE_ID: optional,
  GOOGLE_SECRET: optional,
  OIDC_ISSUER: value
    .regex(
      /^(https:\/\/[^\s?#@/]+(\/[^\s?#]*)?|http:\/\/(localhost|127\.0\.0\.1)(:\d+)?(\/[^\s?#]*)?)$/,
      "must be an issuer's address that starts with https://",
    )
    .optional(),
  OIDC_CLIENT_ID: optional,
  OIDC_CLIENT_SECRET: optional,
  OIDC_LABEL: value.min(1).max(40).default("SSO"),
  SMTP_URL: urlOf("smtp:", "smtps:").optional(),
  SMTP_FROM: optional,
});

export type Settings = z.infer<typeof settingsSchema> & { readonly publicUrl: string };

/** A setting with an invalid value. Its message is one line that names it. */
class SettingsError extends Error {}

/** Reads the settings; an empty variable counts as unset. Throws `SettingsError`. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = settingsSchema.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = String(issue?.path[0]);
    const shown = shownValue(name, given[name] ?? "");
    throw new SettingsError(`${name}=${shown} cannot be used: ${issue?.message}`);
  }
  for (const [id, secret] of [
    ["GITHUB_ID", "GITHUB_SECRET"],
    ["GOOGLE_ID", "GOOGLE_SECRET"],
    ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"],
  ] as const) {
    if ((parsed.data[id] === undefined) !== (parsed.data[secret] === undefined)) {
      throw new SettingsError(`${id} and ${secret} belong together: set both or neither`);
    }
  }
  if (parsed.data.DATABASE_OWNER_URL !== undefined && parsed.data.DATABASE_URL === undefined) {
    throw new SettingsError("DATABASE_OWNER_URL needs DATABASE_URL: set both or neither");
  }
  if (parsed.data.RELAY_SECRET_PREVIOUS !== undefined && parsed.data.RELAY_SECRET === undefined) {
    throw new SettingsError("RELAY_SECRET_PREVIOUS needs RELAY_SECRET: set both or neither");
  }
  if (parsed.data.RELAY_WELCOME_VERIFIED === "yes" && parsed.data.SMTP_URL === undefined)
    throw new SettingsError(
      "RELAY_WELCOME_VERIFIED=yes needs SMTP_URL: without mail nobody can verify an address",
    );
  for (const group of [
    ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"],
    ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"],
  ] as const) {
    const set = group.filter((name) => parsed.data[name] !== undefined);
    if (set.length > 0 && set.length < group.length)
      throw new SettingsError(`${group.join(", ")} belong together: set all or none`);
  }
  const publicUrl = (parsed.data.PUBLIC_URL ?? `http://localhost:${parsed.data.PORT}`).replace(
    /(?<!\/)\/+$/,
    "",
  );
  return { ...parsed.data, publicUrl };
}
