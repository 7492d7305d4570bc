/** Requests of the settings about further ways to prove who one is. */
import { z } from "zod";
import { answerRows, answerText } from "./bounds";
import { CODE_LENGTH_MAX } from "./limits";
import { get, ofPerson, type PageEndpoints, patch, post, remove } from "./page-endpoint";
import { passkeyName, passkeyView, registration, registrationWanted } from "./passkeys";

export const code = z.string().trim().min(1).max(CODE_LENGTH_MAX);
const done = z.object({ done: z.literal(true) });
/** Shown once. Null when the user has codes already. */
const newCodes = z.object({ recoveryCodes: answerRows(answerText).nullable() });

/** Also for a user who must set up a factor before the sign-in is complete. */
const change = { who: "user", proof: "recent", admitsSetup: true, method: "POST" } as const;

export const secondFactorEndpoints = {
  showSecondFactor: {
    ...get("/api/second-factor"),
    ...ofPerson,
    answer: z.object({
      hasTotp: z.boolean(),
      recoveryCodesLeft: z.number().int(),
      passkeys: answerRows(passkeyView),
      isRequired: z.boolean(),
    }),
  },
  startTotp: {
    ...change,
    path: "/api/second-factor/totp",
    permission: "self",
    noKey: "person",
    noCommand: "device",
    answer: z.object({ secret: answerText, uri: answerText }),
  },
  confirmTotp: {
    ...change,
    path: "/api/second-factor/totp/confirm",
    permission: "self",
    noKey: "person",
    noCommand: "device",
    body: z.strictObject({ code }),
    answer: newCodes,
  },
  removeTotp: {
    ...remove("/api/second-factor/totp"),
    ...ofPerson,
    command: "account second-factor",
    proof: "recent",
    answer: done,
  },
  makeRecoveryCodes: {
    ...post("/api/second-factor/codes"),
    ...ofPerson,
    noCommand: "codes",
    proof: "recent",
    answer: newCodes,
  },
  startPasskey: {
    ...change,
    path: "/api/second-factor/passkey",
    permission: "self",
    noKey: "person",
    noCommand: "device",
    answer: registrationWanted,
  },
  addPasskey: {
    ...change,
    path: "/api/passkeys",
    permission: "self",
    noKey: "person",
    noCommand: "device",
    body: registration,
    answer: newCodes,
  },
  renamePasskey: {
    ...patch("/api/passkeys/{id}"),
    ...ofPerson,
    noCommand: "ownName",
    body: z.strictObject({ name: passkeyName }),
    answer: done,
  },
  removePasskey: {
    ...remove("/api/passkeys/{id}"),
    ...ofPerson,
    command: "account second-factor",
    proof: "recent",
    answer: done,
  },
} as const satisfies PageEndpoints;
