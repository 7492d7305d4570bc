/**
 * Sign-in through other services and by mail, stored in our own tables. An identity is never linked
 * to a user because an email address is equal.
 */

import { isMailAddress } from "../contract/email-shape";
import { NAME_LENGTH_MAX } from "../contract/limits";
import { claimedName } from "../contract/shown-rule";
import type { UserIdentity } from "../db/generated/client";
import { RelayError } from "../failures/relay-error";
import { createAccount, releaseWelcome } from "./create-account";
import type { CameBy } from "./referral";
import type { UserSession } from "./session-store";
import { type SignInMail, sendSignInMail } from "./sign-in-mail";
import { type AccountDeps, assertSignUpOpen } from "./sign-up";
import { byAddress, bySignInLink, countAttempt } from "./throttle";
import { welcomeRules } from "./welcome";

const PICTURE_LENGTH_MAX = 2048;

interface AdapterUser {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: Date | null;
  readonly name: string | null;
  readonly image: string | null;
}

interface Identity {
  readonly provider: string;
  readonly providerAccountId: string;
  readonly userId: string;
}

interface SignInLink {
  readonly identifier: string;
  /** The hash of the token. */
  readonly token: string;
  readonly expires: Date;
}

/** What is known of who sends the current request. */
export interface Sender {
  address(): Promise<string | undefined>;
  /** The link that led here. */
  cameBy?(): Promise<CameBy>;
  /** Adds an identity to a user who asked for it. Rejects where nobody did. */
  link?(identity: Identity): Promise<void>;
}

type UserRow = {
  id: string;
  email: string;
  emailVerifiedAt: Date | null;
  name: string | null;
  image: string | null;
};

function adapterUserOf(user: UserRow): AdapterUser;
function adapterUserOf(user: UserRow | null | undefined): AdapterUser | null;
function adapterUserOf(user: UserRow | null | undefined): AdapterUser | null {
  return user
    ? {
        id: user.id,
        email: user.email,
        emailVerified: user.emailVerifiedAt,
        name: user.name,
        image: user.image,
      }
    : null;
}

/**
 * Counts a request for a sign-in link, whether or not the address has an account. Rejects with
 * `sign_in_rate_limited`.
 */
export async function countLinkRequest(
  { pool }: Pick<AccountDeps, "pool">,
  request: { email: string; address: string | undefined },
) {
  await countAttempt(pool, [bySignInLink(request.email), byAddress(request.address)]);
}

/**
 * True when a sign-in link may be mailed to the address and used. A user with a password and an
 * unverified address may be a stranger who typed the address first; only that user's own session
 * may verify it.
 */
export async function mayUseSignInLink(
  { database }: Pick<AccountDeps, "database">,
  request: { email: string; current: Pick<UserSession, "userId"> | null },
): Promise<boolean> {
  const user = await database.user.findUnique({ where: { email: request.email } });
  if (user === null || user.emailVerifiedAt !== null) return true;
  return user.id === request.current?.userId;
}

/**
 * Mails the link. Where a link must not open the account, mails what to do instead. Rejects when
 * the mail server does not accept the mail.
 */
export async function mailSignInLink(
  deps: Pick<AccountDeps, "database">,
  mail: SignInMail,
  current: Pick<UserSession, "userId"> | null,
): Promise<void> {
  const isOwn = await mayUseSignInLink(deps, { email: mail.to, current });
  await sendSignInMail(isOwn ? mail : { ...mail, link: null });
}

/** The address of a picture, or null for anything else. */
const pictureOf = (claim: unknown): string | null =>
  typeof claim === "string" &&
  claim.length <= PICTURE_LENGTH_MAX &&
  /^https:\/\/[\x21-\x7e]+$/.test(claim)
    ? claim
    : null;

function userStore({ database, ledger, settings }: AccountDeps, sender: Sender) {
  /** The user of this sign-in, whose first identity needs no other proof. */
  let madeUserId: string | null = null;
  return {
    async createUser(user: {
      email: string | null;
      emailVerified: Date | null;
      name?: string | null;
      image?: string | null;
    }): Promise<AdapterUser> {
      assertSignUpOpen(settings);
      if (!user.email || !isMailAddress(user.email))
        throw new RelayError("invalid_value", {
          message: "The sign-in provider returned no verified email address.",
        });
      const rules = welcomeRules(settings);
      const { userId } = await createAccount(database, ledger, {
        email: user.email,
        emailVerifiedAt: user.emailVerified,
        name: claimedName(user.name, NAME_LENGTH_MAX),
        image: pictureOf(user.image),
        welcomePoints: rules.points,
        welcome: { rules, address: await sender.address() },
        cameBy: await sender.cameBy?.(),
      });
      madeUserId = userId;
      return adapterUserOf(await database.user.findUniqueOrThrow({ where: { id: userId } }));
    },
    getUser: async (id: string) => adapterUserOf(await database.user.findUnique({ where: { id } })),
    getUserByEmail: async (email: string) =>
      adapterUserOf(await database.user.findUnique({ where: { email: email.toLowerCase() } })),
    async getUserByAccount({
      provider,
      providerAccountId,
    }: Pick<UserIdentity, "provider" | "providerAccountId">) {
      const where = { provider_providerAccountId: { provider, providerAccountId } };
      return adapterUserOf(
        (await database.userIdentity.findUnique({ where, include: { user: true } }))?.user,
      );
    },
    /** Writes only that the address is verified. */
    async updateUser({
      id,
      emailVerified,
    }: {
      id: string;
      emailVerified?: Date | null;
    }): Promise<AdapterUser> {
      const user = await database.user.update({
        where: { id },
        data: emailVerified ? { emailVerifiedAt: emailVerified } : {},
      });
      const proof = { userId: id, rules: welcomeRules(settings), address: await sender.address() };
      if (user.emailVerifiedAt !== null) await releaseWelcome(database, ledger, proof);
      return adapterUserOf(user);
    },
    async linkAccount({ provider, providerAccountId, userId }: Identity): Promise<void> {
      const data = { provider, providerAccountId, userId };
      if (userId === madeUserId) await database.userIdentity.create({ data });
      else if (sender.link) await sender.link(data);
      else throw new RelayError("proof_required");
    },
  };
}

function signInLinkStore({ database }: AccountDeps) {
  return {
    async createVerificationToken({ identifier, token, expires }: SignInLink): Promise<SignInLink> {
      await database.verificationToken.deleteMany({ where: { expiresAt: { lt: new Date() } } });
      await database.verificationToken.create({
        data: { identifier, tokenHash: token, expiresAt: expires },
      });
      return { identifier, token, expires };
    },
    /** Uses up a link: the row is deleted by the query that reads it. */
    async useVerificationToken({
      identifier,
      token,
    }: {
      identifier: string;
      token: string;
    }): Promise<SignInLink | null> {
      const { count } = await database.verificationToken.deleteMany({
        where: { identifier, tokenHash: token, expiresAt: { gt: new Date() } },
      });
      return count === 1 ? { identifier, token, expires: new Date(Date.now() + 1000) } : null;
    },
  };
}

/**
 * The store that next-auth uses for users, identities and sign-in links, for the sender of the
 * current request.
 */
export function identityStore(deps: AccountDeps, sender: Sender) {
  return {
    ...userStore(deps, sender),
    ...signInLinkStore(deps),
    // Sessions are tokens that `SessionStore` checks, so the store has none.
    createSession: () => Promise.reject(new Error("not used")),
    getSessionAndUser: () => Promise.resolve(null),
    updateSession: () => Promise.resolve(null),
    deleteSession: () => Promise.resolve(null),
  };
}
