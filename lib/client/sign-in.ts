type SignIn = typeof import("next-auth/react").signIn;

/** next-auth's own, loaded when someone signs in: the page is there sooner without it. */
export const signIn = (async (...given: Parameters<SignIn>) =>
  (await import("next-auth/react")).signIn(...given)) as SignIn;
