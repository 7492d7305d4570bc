import * as settings from "../commands/settings";
import type { settingEndpoints } from "../contract/operator-settings";
import { showOperatorSettings } from "../queries/settings";
import type { UseCases } from "./use-case";

const momentOf = (text: string | null) => (text === null ? null : new Date(text));

export const settingUseCases: UseCases<typeof settingEndpoints> = {
  showOperatorSettings: ({ deps }) => showOperatorSettings(deps),
  async setLiveSetting({ deps, body, user }) {
    await settings.setLiveSetting(deps, user.userId, body);
    return showOperatorSettings(deps);
  },
  async postNotice({ deps, body, user }) {
    const notice = {
      ...body,
      startsAt: momentOf(body.startsAt),
      endsAt: momentOf(body.endsAt),
    };
    await settings.postNotice(deps, user.userId, notice);
    return showOperatorSettings(deps);
  },
  async endNotice({ deps, id, user }) {
    await settings.endNotice(deps, user.userId, { id });
    return showOperatorSettings(deps);
  },
};
