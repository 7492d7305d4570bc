/** Requests that complete a sign-in after its password, or that sign in or prove by a passkey. */
import { z } from "zod";
import type { PageEndpoints } from "./page-endpoint";
import { assertion, assertionWanted } from "./passkeys";
import { code } from "./second-factor";

const done = z.object({ done: z.literal(true) });
/** The session is not complete yet: these read it themselves. */
const step = { method: "POST", who: "anyone" } as const;

export const signInStepEndpoints = {
  startPasskeySignIn: { ...step, path: "/api/sign-in/passkey/start", answer: assertionWanted },
  signInWithPasskey: { ...step, path: "/api/sign-in/passkey", body: assertion, answer: done },
  completeWithCode: {
    ...step,
    path: "/api/sign-in/code",
    body: z.strictObject({ code }),
    answer: done,
  },
  cancelSignIn: { ...step, path: "/api/sign-in/cancel", answer: done },
  startPasskeyProof: {
    method: "POST",
    path: "/api/proof/passkey/start",
    who: "user",
    answer: assertionWanted,
  },
  proveWithPasskey: {
    method: "POST",
    path: "/api/proof/passkey",
    who: "user",
    body: assertion,
    answer: done,
  },
} as const satisfies PageEndpoints;
