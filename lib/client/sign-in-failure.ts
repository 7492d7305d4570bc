export interface SignInFailure {
  code:
    | "wrong_credentials"
    | "sign_in_rate_limited"
    | "page_rate_limited"
    | "service_busy"
    | "account_suspended"
    | "link"
    | "provider"
    | "session"
    | "offline";
  /** How long to wait; null when unknown. */
  minutes: number | null;
}

/** Maps next-auth's failure codes to ours. */
const names: Record<string, SignInFailure["code"]> = {
  CredentialsSignin: "wrong_credentials",
  wrong_credentials: "wrong_credentials",
  sign_in_rate_limited: "sign_in_rate_limited",
  page_rate_limited: "page_rate_limited",
  service_busy: "service_busy",
  account_suspended: "account_suspended",
  Verification: "link",
  EmailSignin: "link",
  SessionRequired: "session",
};

/**
 * Parses the `error` of a failed sign-in, such as `CredentialsSignin`, or
 * `sign_in_rate_limited:120` with the seconds to wait.
 */
export function signInFailure(error: string): SignInFailure {
  const [name = "", seconds] = error.split(":");
  const wait = Number(seconds);
  return { code: names[name] ?? "provider", minutes: wait > 0 ? Math.ceil(wait / 60) : null };
}
