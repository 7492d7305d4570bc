import { type ChangeAccountBody, settingsEndpoints } from "../contract/settings";
import { meQuery } from "./account";
import { call } from "./call";
import { reading } from "./read";
import { useWrite } from "./write";

export const sessionsQuery = reading(["sessions"], settingsEndpoints.listSessions, {});

export const useEndSession = () =>
  useWrite((id: string) => call(settingsEndpoints.endSession, { id }), sessionsQuery.queryKey);
export const useChangeName = () =>
  useWrite(
    (name: string | null) => call(settingsEndpoints.changeProfile, { body: { name } }),
    meQuery.queryKey,
  );
export const useChangeAccount = () =>
  useWrite(
    (body: ChangeAccountBody) => call(settingsEndpoints.changeAccount, { body }),
    meQuery.queryKey,
  );
