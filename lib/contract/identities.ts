/** Requests of the settings about the other services through which a user signs in. */
import { z } from "zod";
import { answerRows, answerText, done, moment } from "./bounds";
import { get, ofPerson, type PageEndpoints, post, remove } from "./page-endpoint";
import { signInServices } from "./sign-in-services";

export const identityView = z.object({
  id: answerText,
  service: z.enum(signInServices),
  /** How the service names the person. */
  subject: answerText,
  createdAt: moment,
});

export const identityEndpoints = {
  listIdentities: {
    ...get("/api/identities", ofPerson),
    answer: z.object({ identities: answerRows(identityView) }),
  },
  /** Lets the next sign-in of this session through the service add it to the user. */
  startIdentity: {
    ...post("/api/identities", ofPerson),
    noCommand: "otherService",
    proof: "recent",
    body: z.strictObject({ service: z.enum(signInServices) }),
    answer: done,
  },
  removeIdentity: {
    ...remove("/api/identities/{id}", ofPerson),
    command: "account identity",
    proof: "recent",
    answer: done,
  },
} as const satisfies PageEndpoints;

export type IdentityView = z.infer<typeof identityView>;
