/** A forgotten password, the user's address, and the end of the account. */
import { releaseWelcome } from "../accounts/create-account";
import {
  byAddress,
  byEmailChange,
  byMailFrom,
  byMailTo,
  byNewEmail,
  countAttempt,
} from "../accounts/throttle";
import { welcomeRules } from "../accounts/welcome";
import * as emails from "../commands/change-email";
import { closeAccount } from "../commands/close-account";
import { makeResetLink, resetPassword } from "../commands/recovery";
import type { recoveryEndpoints } from "../contract/recovery";
import { invalidValue } from "../failures/relay-error";
import type { PagesDeps } from "./pages-deps";
import { mailReset, mailsOf } from "./recovery-mails";
import type { UseCases } from "./use-case";

const DONE = { done: true } as const;

/** A link from a mail proves the address, for which welcome points may wait. */
const prove = (deps: PagesDeps, userId: string, address: string | undefined) =>
  releaseWelcome(deps.database, deps.ledger, {
    userId,
    rules: welcomeRules(deps.settings),
    address,
  });

function assertMayClose(points: bigint, losesPoints: boolean): void {
  if (points > 0n && !losesPoints)
    throw invalidValue("losesPoints", "Points are left. Confirm that they are given up.");
}

export const recoveryUseCases: UseCases<typeof recoveryEndpoints> = {
  async forgotPassword({ deps, locale, body, address }) {
    const mails = mailsOf(deps, locale);
    const email = body.email.toLowerCase();
    await deps.signInQueue.run(address, ({ pool }) =>
      countAttempt(pool, [byMailTo(email), byMailFrom(address)]),
    );
    mailReset(deps, mails, email);
    return DONE;
  },
  async resetPassword({ deps, locale, body, address }) {
    const { user, found } = await deps.signInQueue.run(address, async ({ database, pool }) => {
      const uncount = await countAttempt(pool, [byAddress(address)]);
      const changed = await resetPassword({ database }, body);
      await uncount();
      return changed;
    });
    deps.sessions.forget();
    await prove(deps, user.id, address);
    const mails = mailsOf(deps, locale);
    mails.later(async (send) => {
      if (found !== null) await send(mails.text.renewed(user.email, found));
      await send(mails.text.passwordChanged(user.email));
    });
    return DONE;
  },
  async requestEmail({ deps, locale, body, user: { userId }, address }) {
    const mails = mailsOf(deps, locale);
    const email = body.email.toLowerCase();
    await countAttempt(deps.pool, [byEmailChange(userId), byNewEmail(email), byMailFrom(address)]);
    const change = await emails.requestEmail(deps, userId, { userId, email });
    mails.later(async (send) => {
      await send(mails.text.changeAsked(change.from, change.undoToken));
      await send(
        change.isTaken
          ? mails.text.taken(change.to)
          : mails.text.confirm(change.to, change.confirmToken),
      );
    });
    return DONE;
  },
  async confirmEmail({ deps, body, user: { userId }, address }) {
    const uncount = await countAttempt(deps.pool, [byAddress(address)]);
    const user = await emails.confirmEmail(deps, userId, body);
    await uncount();
    deps.sessions.forget();
    await prove(deps, user.id, address);
    return DONE;
  },
  async undoEmail({ deps, locale, body, address }) {
    const uncount = await countAttempt(deps.pool, [byAddress(address)]);
    const { user, found } = await emails.undoEmail(deps, body);
    await uncount();
    deps.sessions.forget();
    const mails = mailsOf(deps, locale);
    mails.later(async (send) => {
      const { id: userId, email } = user;
      await send(mails.text.renewed(email, found));
      await send(mails.text.reset(email, await makeResetLink(deps, "system", { userId })));
    });
    return DONE;
  },
  async closeAccount({ deps, locale, body, user }) {
    if (body.email.trim().toLowerCase() !== user.email)
      throw invalidValue("email", "Type the address of this account.");
    const { accountId, userId } = user;
    assertMayClose((await deps.ledger.balance(accountId)).available, body.losesPoints);
    await closeAccount(deps, userId, { accountId, isOwn: true });
    deps.sessions.forget();
    if (deps.settings.SMTP_URL !== undefined) {
      const mails = mailsOf(deps, locale);
      mails.later((send) => send(mails.text.closed(user.email)));
    }
    return DONE;
  },
};
