/** The values that a message may show. The others may be secret, or have a secret in them. */
const shownNames: readonly string[] = [
  ...["PORT", "HOST", "S3_BUCKET", "S3_REGION", "OIDC_LABEL", "OTEL_TRACES_SAMPLER_ARG"],
  ...["RELAY_PROCESSES", "RELAY_DATA_DIR", "RELAY_SANDBOX", "RELAY_EXAMPLES_DIR"],
  ...["RELAY_DEMO_ACCOUNTS", "RELAY_CALLBACK_NETWORKS", "RELAY_SIGNUP", "RELAY_WELCOME_POINTS"],
  ...["RELAY_WELCOME_PER_ADDRESS", "RELAY_WELCOME_PER_DOMAIN", "RELAY_WELCOME_VERIFIED"],
  ...["RELAY_SECOND_FACTOR", "RELAY_KEEP_DELIVERY_DAYS", "RELAY_KEEP_REQUEST_MONTHS"],
  ...["RELAY_KEEP_SIGN_IN_FAILURE_HOURS", "RELAY_LOG_LEVEL", "RELAY_TRUSTED_PROXIES"],
  ...["RELAY_OPERATOR_ADDRESSES"],
];
const SHOWN_CHARACTERS_MAX = 100;

/** What of a value is not secret: all of it by its name, or the beginning of a URL. */
export function shownValue(name: string, value: string): string {
  const start = /^[a-z][a-z0-9+.-]{0,20}:\/\//i.exec(value)?.[0] ?? "";
  const isShown = shownNames.includes(name) && start === "" && !/[@\p{Cc}]/u.test(value);
  if (!isShown) return `${start}…`;
  return value.length > SHOWN_CHARACTERS_MAX ? `${value.slice(0, SHOWN_CHARACTERS_MAX)}…` : value;
}
