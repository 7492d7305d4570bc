import type { z } from "zod";
import { recordAction } from "../accounts/actions";
import type { changeAccountRequest, changeProfileRequest } from "../contract/settings";
import { parsePoints } from "../points";
import type { Call } from "./call";
import { showMe } from "./me";

/** Changes what the user is called. */
export async function changeProfile({ parts, body, user }: Call<z.output<typeof changeProfileRequest>>) {
  await parts.database.user.update({ where: { id: user().userId }, data: { name: body.name } });
  parts.sessions.forget();
  return { name: body.name };
}

/** Sets the balance below which the pages say so; null: never. */
export async function changeAccount(call: Call<z.output<typeof changeAccountRequest>>) {
  const { parts, body } = call;
  const { accountId, userId } = call.user();
  const lowBalanceNotice = body.lowBalanceNotice === null ? null : parsePoints(body.lowBalanceNotice);
  await parts.database.account.update({ where: { id: accountId }, data: { lowBalanceNotice } });
  await recordAction(parts.database, { actor: userId, action: "account.low_balance_notice", subject: accountId, detail: { ...body } });
  return { lowBalanceNotice: (await showMe(call)).account.lowBalanceNotice };
}
