import type { z } from "zod";
import { recordAction } from "../accounts/actions";
import { changeRetryJoins } from "../accounts/retry-joins";
import type { changeAccountRequest, changeProfileRequest } from "../contract/settings";
import { requestedPoints } from "../requested-points";
import type { Call } from "./call";
import { showMe } from "./me";

/** Changes what the user is called. */
export async function changeProfile({ parts, body, user }: Call<z.output<typeof changeProfileRequest>>) {
  await parts.database.user.update({ where: { id: user().userId }, data: { name: body.name } });
  parts.sessions.forget();
  return { name: body.name };
}

/** Sets the balance below which the pages say so, null for never, and whether retries join. */
export async function changeAccount(call: Call<z.output<typeof changeAccountRequest>>) {
  const { parts, body } = call;
  const { accountId, userId } = call.user();
  const { lowBalanceNotice, joinsRetries } = body;
  if (lowBalanceNotice !== undefined) {
    const data = { lowBalanceNotice: lowBalanceNotice === null ? null : requestedPoints("lowBalanceNotice", lowBalanceNotice) };
    await parts.database.account.update({ where: { id: accountId }, data });
    const detail = { lowBalanceNotice };
    await recordAction(parts.database, { actor: userId, action: "account.low_balance_notice", subject: accountId, detail });
  }
  if (joinsRetries !== undefined) await changeRetryJoins(parts.database, { accountId, joinsRetries, actor: userId });
  const { account } = await showMe(call);
  return { lowBalanceNotice: account.lowBalanceNotice, joinsRetries: account.joinsRetries };
}
