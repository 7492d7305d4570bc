/** Requests about a forgotten password, the user's address, and the end of the account. */
import { z } from "zod";
import { done } from "./bounds";
import { EMAIL_LENGTH_MAX, LINK_TOKEN_LENGTH_MAX } from "./limits";
import { byUser, ofPerson, type PageEndpoints, post } from "./page-endpoint";
import { email, newPassword } from "./users";

const token = z.string().min(1).max(LINK_TOKEN_LENGTH_MAX);

export const recoveryEndpoints = {
  /** The same answer for every address. */
  forgotPassword: {
    ...post("/api/password/forgot", { who: "anyone", noKey: "stranger" }),
    noCommand: "mail",
    body: z.strictObject({ email }),
    answer: done,
  },
  resetPassword: {
    ...post("/api/password/reset", { who: "anyone", noKey: "stranger" }),
    command: "account password",
    body: z.strictObject({ token, newPassword }),
    answer: done,
  },
  requestEmail: {
    ...post("/api/email", ofPerson),
    command: "account email",
    proof: "recent",
    body: z.strictObject({ email }),
    answer: done,
  },
  confirmEmail: {
    ...post("/api/email/confirm", ofPerson),
    noCommand: "mailed",
    body: z.strictObject({ token }),
    answer: done,
  },
  undoEmail: {
    ...post("/api/email/undo", { who: "anyone", noKey: "stranger" }),
    noCommand: "mailed",
    body: z.strictObject({ token }),
    answer: done,
  },
  closeAccount: {
    ...post("/api/account/close", byUser("own")),
    noKey: "owner",
    command: "account close",
    proof: "recent",
    body: z.strictObject({
      /** The user's own address, typed again. */
      email: z.string().max(EMAIL_LENGTH_MAX),
      /** Required while points are left. */
      losesPoints: z.boolean(),
    }),
    answer: done,
  },
} as const satisfies PageEndpoints;
