/** Requests of operators about the other services through which users sign in. */
import { z } from "zod";
import { answerRows, answerText, done } from "./bounds";
import { identityView } from "./identities";
import { byOperator, get, type PageEndpoints, post } from "./page-endpoint";

export const operatorIdentityEndpoints = {
  listUserIdentities: {
    ...get("/api/admin/accounts/{id}/identities", byOperator("accounts:read")),
    answer: z.object({ identities: answerRows(identityView.extend({ userId: answerText })) }),
  },
  removeUserIdentity: {
    ...post("/api/admin/identities/{id}/remove", byOperator("access:write")),
    command: "account identity",
    proof: "recent",
    answer: done,
  },
} as const satisfies PageEndpoints;
