/** Requests of the sign-up and password pages to `/api/…`, and their answers. */

import { z } from "zod";
import { answerText } from "./bounds";
import { MAIL_ADDRESS } from "./email-shape";
import { humanCheckText } from "./human-check";
import {
  EMAIL_LENGTH_MAX,
  INVITE_CODE_LENGTH_MAX,
  NAME_LENGTH_MAX,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
} from "./limits";
import { ofPerson, type PageEndpoints, post } from "./page-endpoint";
import { shownName } from "./shown-text";

export const email = z
  .email({ pattern: MAIL_ADDRESS, error: "it must be an email address" })
  .max(EMAIL_LENGTH_MAX);
export const newPassword = z.string().min(PASSWORD_LENGTH_MIN).max(PASSWORD_LENGTH_MAX);

const signUpRequest = z.strictObject({
  email,
  password: newPassword,
  name: shownName(NAME_LENGTH_MAX).optional(),
  /** The code of an invitation. */
  invite: z.string().min(1).max(INVITE_CODE_LENGTH_MAX).optional(),
  /** The answer to the human check, where the operator wants one. */
  humanCheck: humanCheckText.optional(),
});
const signUpResponse = z.object({ user: z.object({ id: answerText, email: answerText }) });

const changePasswordRequest = z.strictObject({
  currentPassword: z.string().max(PASSWORD_LENGTH_MAX).optional(),
  newPassword,
});
const changePasswordResponse = z.object({ changed: z.literal(true) });

export const signOutEverywhereResponse = z.object({ ended: z.literal(true) });

export const userEndpoints = {
  signUp: {
    ...post("/api/sign-up", { who: "anyone", noKey: "signUp" }),
    command: "account create",
    status: 201,
    body: signUpRequest,
    answer: signUpResponse,
  },
  changePassword: {
    ...post("/api/password", ofPerson),
    command: "account password",
    proof: "unlessPassword",
    body: changePasswordRequest,
    answer: changePasswordResponse,
  },
  signOutEverywhere: {
    ...post("/api/sign-out-everywhere", ofPerson),
    command: "account sign-out",
    answer: signOutEverywhereResponse,
  },
} as const satisfies PageEndpoints;
