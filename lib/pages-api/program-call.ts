/** A call of a row's use case by a program: a key of the API, or the command line. */
import type { UserSession } from "../accounts/session-store";
import { RelayError } from "../failures/relay-error";
import type { AdmittedCall } from "../http/serve-page";

interface Program {
  /** The actor in the audit log: the id of a key, or `cli`. */
  readonly id: string;
  readonly accountId: string;
  /** Empty where there is nobody to mail to. */
  readonly email?: string;
  readonly hidesMembers?: boolean;
  readonly isOperator: boolean;
}

/** Who acts when a program does. */
export const programUser = ({ id, email = "", ...program }: Program): UserSession => ({
  ...program,
  userId: id,
  role: "admin",
  ownAccountId: program.accountId,
  email,
  name: null,
  hasPassword: false,
  hasSecondFactor: false,
  sessionVersion: 0,
});

const noSession = () => Promise.reject(new RelayError("key_kind_not_allowed"));

type Asked<Deps> = Pick<
  AdmittedCall<Deps, UserSession>,
  "deps" | "user" | "body" | "query" | "id" | "address" | "gone"
>;

/** The call: a program has no session, no cookies, and reads English. */
export const programCall = <Deps>(asked: Asked<Deps>): AdmittedCall<Deps, UserSession> => ({
  ...asked,
  locale: "en",
  sessionId: () => Promise.resolve(null),
  renewSession: noSession,
  pendingSignIn: () => Promise.resolve(null),
  cookie: () => Promise.resolve(undefined),
  sendCookie: () => {},
});
