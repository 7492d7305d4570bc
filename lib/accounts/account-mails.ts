/** The mails about a user's password and address. */

import { createTranslator } from "next-intl";
import type { Locale } from "@/messages/locales";
import { mailTexts, mailWriter } from "./mail-words";
import { type Found, foundThings } from "./renew-user";

/** What happened to a user's second factors. */
export type FactorChange = keyof ReturnType<typeof mailTexts>["factorChange"];

/** How a user without a password signs in. */
export interface OtherWays {
  readonly providers: readonly string[];
  /** By a mailed link. */
  readonly hasLink: boolean;
}

export function accountMails(origin: string, locale: Locale) {
  const write = mailWriter(origin, locale);
  const withLink = (path: string, token: string) => ({ link: `${origin}/${path}?token=${token}` });
  const oneOf = new Intl.ListFormat(locale, { type: "disjunction" });
  return {
    reset: (to: string, token: string) => write(to, "reset", withLink("reset", token)),
    /** To a user who signs in without a password. */
    noPassword: (to: string, { providers, hasLink }: OtherWays) => {
      const link = hasLink ? [mailTexts(locale).mailedLink] : [];
      return write(to, "noPassword", { methods: oneOf.format([...providers, ...link]) });
    },
    passwordChanged: (to: string) => write(to, "passwordChanged"),
    /** After an account began anew: what was found in it. */
    renewed: (to: string, found: Found) => {
      const say = createTranslator({
        locale,
        messages: { found: mailTexts(locale).found },
        namespace: "found",
      });
      const lines = foundThings.flatMap((name) =>
        found[name] === undefined ? [] : [`- ${say(name, { count: found[name] })}`],
      );
      const none = mailTexts(locale).foundNothing;
      return write(to, "renewed", { found: lines.length === 0 ? none : lines.join("\n") });
    },
    /** After a change of the ways to prove who one is. */
    factorChanged: (to: string, what: FactorChange) =>
      write(to, "factorChanged", { what: mailTexts(locale).factorChange[what] }),
    /** To the address that a user wants to use. */
    confirm: (to: string, token: string) => write(to, "confirm", withLink("confirm-email", token)),
    /** In place of `confirm`, to an address that belongs to another account. */
    taken: (to: string) => write(to, "taken"),
    /** To the address in use. */
    changeAsked: (to: string, token: string) =>
      write(to, "changeAsked", withLink("undo-email", token)),
    /** To somebody who may not have an account yet. */
    invited: (to: string, facts: { from: string; link: string }) => write(to, "invited", facts),
    closed: (to: string) => write(to, "closed"),
  };
}

export type AccountMails = ReturnType<typeof accountMails>;
