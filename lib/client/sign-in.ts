type SignIn = typeof import("next-auth/react").signIn;

/** next-auth's `signIn`, loaded on first use so that pages load faster. */
export const signIn = (async (...given: Parameters<SignIn>) =>
  (await import("next-auth/react")).signIn(...given)) as SignIn;
