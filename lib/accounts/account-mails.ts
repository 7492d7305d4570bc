/** The mails about a user's password and address. */
import type { Mail } from "./mail";

const IGNORE = "If this was not you, ignore this mail: nothing has changed.";
const hostOf = (origin: string) => new URL(origin).host;

/** Writes the mails of the installation at `origin`. */
export function accountMails(origin: string) {
  const host = hostOf(origin);
  const linkTo = (path: string, token: string) => `${origin}/${path}?token=${token}`;
  return {
    reset: (to: string, token: string): Mail => ({
      to,
      subject: `Set a new password at ${host}`,
      text: `Someone asked to set a new password for your account at ${host}.\n\nOpen this link to set it. The link works once and is valid for half an hour; a newer one replaces it.\n\n${linkTo("reset", token)}\n\n${IGNORE}\n`,
    }),
    /** To a user who signs in without a password. */
    noPassword: (to: string, methods: readonly string[]): Mail => ({
      to,
      subject: `Signing in to ${host}`,
      text: `Someone asked to set a new password for your account at ${host}.\n\nYour account has no password: you sign in with ${methods.join(" or ")} at ${origin}/login.\n\n${IGNORE}\n`,
    }),
    passwordChanged: (to: string): Mail => ({
      to,
      subject: `Your password at ${host} was changed`,
      text: `The password of your account at ${host} was changed, and all its sessions have ended.\n\nAPI keys keep working: revoke those that you do not know at ${origin}/points.\n\nIf this was not you, set a new password at once: ${origin}/forgot\n`,
    }),
    /** After a change of the ways to prove who one is; `what` is a sentence. */
    factorChanged: (to: string, what: string): Mail => ({
      to,
      subject: `Signing in to ${host} has changed`,
      text: `${what}\n\nThis concerns your account at ${host}. Your ways to sign in: ${origin}/settings#sign-in\n\nIf this was not you, set a new password at once: ${origin}/forgot\n`,
    }),
    /** To the address that a user wants to use. */
    confirm: (to: string, token: string): Mail => ({
      to,
      subject: `Confirm your address at ${host}`,
      text: `Someone asked to use this address for an account at ${host}.\n\nOpen this link to confirm it. The link works once and is valid for half an hour.\n\n${linkTo("confirm-email", token)}\n\n${IGNORE}\n`,
    }),
    /** In place of `confirm`, to an address that belongs to another account. */
    taken: (to: string): Mail => ({
      to,
      subject: `Your address at ${host}`,
      text: `Someone asked to use this address for another account at ${host}. You have an account with this address already, so nothing has changed.\n\nIf this was you, sign in with it at ${origin}/login.\n`,
    }),
    /** To the address in use. */
    changeAsked: (to: string, token: string): Mail => ({
      to,
      subject: `Your address at ${host} is about to change`,
      text: `Someone asked to use another address for your account at ${host}. It changes when the new address is confirmed.\n\nIf this was you, there is nothing to do. If not, open this link within 24 hours: this address stays or comes back, all sessions end, and you get a mail to set a new password.\n\n${linkTo("undo-email", token)}\n`,
    }),
    closed: (to: string): Mail => ({
      to,
      subject: `Your account at ${host} was deleted`,
      text: `Your account at ${host} was deleted, as you asked. Its name, address, password, prompts and results were erased, and its API keys revoked. The records of its points are kept without them.\n`,
    }),
  };
}

export type AccountMails = ReturnType<typeof accountMails>;
