import { readSettings } from "@/lib/settings";

/** What the pages say about this installation. */
export function siteFacts() {
  const settings = readSettings(process.env);
  return {
    baseUrl: `${settings.publicUrl}/v1`,
    welcomePoints: settings.RELAY_WELCOME_POINTS,
    signUp: settings.RELAY_SIGNUP,
    signInWays: {
      github: settings.GITHUB_ID !== undefined,
      google: settings.GOOGLE_ID !== undefined,
      email: settings.SMTP_URL !== undefined,
    },
  };
}
