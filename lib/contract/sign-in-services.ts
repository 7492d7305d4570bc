/** The other services through which a user may sign in. */
export const signInServices = ["github", "google", "oidc"] as const;
export type SignInService = (typeof signInServices)[number];
