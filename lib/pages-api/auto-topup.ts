/** The saved card of an account, and its automatic top-up. */
import * as commands from "../commands/auto-topup";
import * as cards from "../commands/saved-card";
import type { autoTopupEndpoints } from "../contract/auto-topup";
import { requestedPoints } from "../money/requested-points";
import { showAutoTopup } from "../queries/auto-topup";
import { requireStripe } from "./require-stripe";
import type { ProgramDeps, UseCases } from "./use-case";

const returnUrlOf = ({ settings }: ProgramDeps) => `${settings.publicUrl}/points`;

export const autoTopupUseCases: UseCases<typeof autoTopupEndpoints, ProgramDeps> = {
  showAutoTopup: ({ deps, user }) => showAutoTopup(deps, user),
  async setAutoTopup({ deps, body, user: { accountId, userId } }) {
    requireStripe(deps);
    const threshold = requestedPoints("threshold", body.threshold);
    await commands.setAutoTopup(deps, userId, { ...body, threshold, accountId });
    return showAutoTopup(deps, { accountId });
  },
  async stopAutoTopup({ deps, user }) {
    await commands.stopAutoTopup(deps, user.userId, user);
    return showAutoTopup(deps, user);
  },
  async saveCard({ deps, user: { accountId, userId } }) {
    const page = { accountId, returnUrl: returnUrlOf(deps) };
    return cards.startSavingCard(deps, requireStripe(deps), userId, page);
  },
  async checkCard({ deps, id, user: { accountId } }) {
    await cards.checkSavedCard(deps, requireStripe(deps), { accountId, id });
    return showAutoTopup(deps, { accountId });
  },
  async removeCard({ deps, user }) {
    await cards.removeCard(deps, user.userId, user);
    return showAutoTopup(deps, user);
  },
  async confirmCard({ deps, user: { accountId, userId } }) {
    const page = { accountId, returnUrl: returnUrlOf(deps) };
    return cards.startConfirming(deps, requireStripe(deps), userId, page);
  },
};
