import type { z } from "zod";
import { changeAccount } from "../commands/accounts";
import { renameUser } from "../commands/users";
import type { changeAccountRequest, changeProfileRequest } from "../contract/settings";
import { showMe } from "../queries/me";
import { requestedPoints } from "../requested-points";
import type { Call } from "./call";

export async function changeProfile({ parts, body, user }: Call<z.output<typeof changeProfileRequest>>) {
  const { name } = body;
  await renameUser(parts, user().userId, { name });
  parts.sessions.forget();
  return { name };
}

export async function changeOwnAccount(call: Call<z.output<typeof changeAccountRequest>>) {
  const { parts, body } = call;
  const { accountId, userId } = call.user();
  const { lowBalanceNotice: limit, joinsRetries } = body;
  const lowBalanceNotice = limit == null ? limit : requestedPoints("lowBalanceNotice", limit);
  await changeAccount(parts, userId, { accountId, lowBalanceNotice, joinsRetries });
  const { account } = await showMe(parts, call.user());
  return { lowBalanceNotice: account.lowBalanceNotice, joinsRetries: account.joinsRetries };
}
