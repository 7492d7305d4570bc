/** Requests that complete a sign-in after its password, or that sign in or prove by a passkey. */
import { z } from "zod";
import { byUser, type PageEndpoints, post } from "./page-endpoint";
import { assertion, assertionWanted } from "./passkeys";
import { code } from "./second-factor";

const done = z.object({ done: z.literal(true) });
/** The session is not complete yet: these read it themselves. */
const step = { method: "POST", who: "anyone" } as const;

export const signInStepEndpoints = {
  startPasskeySignIn: {
    ...step,
    path: "/api/sign-in/passkey/start",
    noKey: "stranger",
    noCommand: "browser",
    answer: assertionWanted,
  },
  signInWithPasskey: {
    ...step,
    path: "/api/sign-in/passkey",
    noKey: "stranger",
    noCommand: "browser",
    body: assertion,
    answer: done,
  },
  completeWithCode: {
    ...step,
    path: "/api/sign-in/code",
    noKey: "stranger",
    noCommand: "browser",
    body: z.strictObject({ code }),
    answer: done,
  },
  cancelSignIn: {
    ...step,
    path: "/api/sign-in/cancel",
    noKey: "stranger",
    noCommand: "browser",
    answer: done,
  },
  startPasskeyProof: {
    ...post("/api/proof/passkey/start"),
    ...byUser("self"),
    noKey: "proof",
    noCommand: "browser",
    answer: assertionWanted,
  },
  proveWithPasskey: {
    ...post("/api/proof/passkey"),
    ...byUser("self"),
    noKey: "proof",
    noCommand: "browser",
    body: assertion,
    answer: done,
  },
} as const satisfies PageEndpoints;
