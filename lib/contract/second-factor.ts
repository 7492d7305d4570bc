/** Requests of the settings about further ways to prove who one is. */
import { z } from "zod";
import { answerRows, answerText, done } from "./bounds";
import { CODE_LENGTH_MAX } from "./limits";
import { get, ofPerson, type PageEndpoints, patch, post, remove } from "./page-endpoint";
import { passkeyName, passkeyView, registration, registrationWanted } from "./passkeys";

export const code = z.string().trim().min(1).max(CODE_LENGTH_MAX);
/** Shown once. Null when the user has codes already. */
const newCodes = z.object({ recoveryCodes: answerRows(answerText).nullable() });

/** Also for a user who must set up a factor before the sign-in is complete. */
const change = { proof: "recent", admitsSetup: true, noCommand: "device" } as const;

export const secondFactorEndpoints = {
  showSecondFactor: {
    ...get("/api/second-factor", ofPerson),
    answer: z.object({
      hasTotp: z.boolean(),
      recoveryCodesLeft: z.number().int(),
      passkeys: answerRows(passkeyView),
      isRequired: z.boolean(),
    }),
  },
  startTotp: {
    ...post("/api/second-factor/totp", ofPerson),
    ...change,
    answer: z.object({ secret: answerText, uri: answerText }),
  },
  confirmTotp: {
    ...post("/api/second-factor/totp/confirm", ofPerson),
    ...change,
    body: z.strictObject({ code }),
    answer: newCodes,
  },
  removeTotp: {
    ...remove("/api/second-factor/totp", ofPerson),
    command: "account second-factor",
    proof: "recent",
    answer: done,
  },
  makeRecoveryCodes: {
    ...post("/api/second-factor/codes", ofPerson),
    noCommand: "codes",
    proof: "recent",
    answer: newCodes,
  },
  startPasskey: {
    ...post("/api/second-factor/passkey", ofPerson),
    ...change,
    answer: registrationWanted,
  },
  addPasskey: {
    ...post("/api/passkeys", ofPerson),
    ...change,
    body: registration,
    answer: newCodes,
  },
  renamePasskey: {
    ...patch("/api/passkeys/{id}", ofPerson),
    noCommand: "ownName",
    body: z.strictObject({ name: passkeyName }),
    answer: done,
  },
  removePasskey: {
    ...remove("/api/passkeys/{id}", ofPerson),
    command: "account second-factor",
    proof: "recent",
    answer: done,
  },
} as const satisfies PageEndpoints;
