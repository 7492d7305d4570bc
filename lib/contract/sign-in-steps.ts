/** Requests that complete a sign-in after its password, or that sign in or prove by a passkey. */
import { z } from "zod";
import { done } from "./bounds";
import { byUser, type PageEndpoints, post } from "./page-endpoint";
import { assertion, assertionWanted } from "./passkeys";
import { code } from "./second-factor";

/** The session is not complete yet: these read it themselves. */
const step = { who: "anyone", noKey: "stranger", noCommand: "browser" } as const;

export const signInStepEndpoints = {
  startPasskeySignIn: {
    ...post("/api/sign-in/passkey/start", step),
    answer: assertionWanted,
  },
  signInWithPasskey: {
    ...post("/api/sign-in/passkey", step),
    body: assertion,
    answer: done,
  },
  completeWithCode: {
    ...post("/api/sign-in/code", step),
    body: z.strictObject({ code }),
    answer: done,
  },
  cancelSignIn: {
    ...post("/api/sign-in/cancel", step),
    answer: done,
  },
  startPasskeyProof: {
    ...post("/api/proof/passkey/start", byUser("self")),
    noKey: "proof",
    noCommand: "browser",
    answer: assertionWanted,
  },
  proveWithPasskey: {
    ...post("/api/proof/passkey", byUser("self")),
    noKey: "proof",
    noCommand: "browser",
    body: assertion,
    answer: done,
  },
} as const satisfies PageEndpoints;
