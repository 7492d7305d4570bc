import * as settings from "../commands/settings";
import type { settingEndpoints } from "../contract/operator-settings";
import { listNotices } from "../queries/notices";
import { showOperatorSettings } from "../queries/settings";
import type { ProgramDeps, UseCases } from "./use-case";

const momentOf = (text: string | null) => (text === null ? null : new Date(text));

export const settingUseCases: UseCases<typeof settingEndpoints, ProgramDeps> = {
  showOperatorSettings: ({ deps }) => showOperatorSettings(deps),
  async setLiveSetting({ deps, body, user }) {
    await settings.setLiveSetting(deps, user.userId, body);
    return showOperatorSettings(deps);
  },
  listNotices: async ({ deps }) => ({ notices: await listNotices(deps.database) }),
  async postNotice({ deps, body, user }) {
    const { startsAt, endsAt, ...notice } = body;
    const when = { startsAt: momentOf(startsAt), endsAt: momentOf(endsAt) };
    await settings.postNotice(deps, user.userId, { ...notice, ...when });
    return { notices: await listNotices(deps.database) };
  },
  async endNotice({ deps, id, user }) {
    await settings.endNotice(deps, user.userId, { id });
    return { notices: await listNotices(deps.database) };
  },
};
