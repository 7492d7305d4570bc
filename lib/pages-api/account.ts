/** The user's own account: balance, entries, profile, notices, vouchers. */
import * as accounts from "../commands/accounts";
import { renameUser } from "../commands/users";
import type { entryEndpoints } from "../contract/entries";
import type { meEndpoints } from "../contract/me";
import type { settingsEndpoints } from "../contract/settings";
import type { voucherEndpoints } from "../contract/vouchers";
import { formatPoints } from "../money/points";
import { requestedPoints } from "../money/requested-points";
import { listEntries } from "../queries/entries";
import { showMe } from "../queries/me";
import { redeemVoucher } from "../topup/vouchers";
import type { UseCases } from "./use-case";

type AccountEndpoints = typeof meEndpoints &
  typeof entryEndpoints &
  typeof voucherEndpoints &
  Pick<typeof settingsEndpoints, "changeProfile" | "changeAccount">;

export const accountUseCases: UseCases<AccountEndpoints> = {
  showMe: ({ deps, user }) => showMe(deps, user),
  listEntries: ({ deps, query, user }) =>
    listEntries(deps, { ...query, accountId: user.accountId }),
  async changeProfile({ deps, body, user }) {
    const { name } = body;
    await renameUser(deps, user.userId, { name });
    deps.sessions.forget();
    return { name };
  },
  async changeAccount({ deps, body, user }) {
    const { lowBalanceNotice: limit, ...rest } = body;
    const lowBalanceNotice = limit == null ? limit : requestedPoints("lowBalanceNotice", limit);
    const change = { accountId: user.accountId, lowBalanceNotice, ...rest };
    await accounts.changeAccount(deps, user.userId, change);
    const { account } = await showMe(deps, user);
    return account;
  },
  async redeemVoucher({ deps, body, user }) {
    const { accountId } = user;
    const points = await redeemVoucher(deps.pool, deps.ledger, { accountId, code: body.code });
    const { available, held } = await deps.ledger.balance(accountId);
    const balance = { available: formatPoints(available), held: formatPoints(held) };
    return { points: formatPoints(points), balance };
  },
};
