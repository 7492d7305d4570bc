import { chooseNotifications } from "../commands/notifications";
import type { notificationEndpoints } from "../contract/notifications";
import { notificationChoices } from "../queries/notification-choices";
import { listNotifications } from "../queries/notifications";
import type { UseCases } from "./use-case";

export const notificationUseCases: UseCases<typeof notificationEndpoints> = {
  listNotifications: ({ deps, query, locale, user: { accountId, userId, role } }) =>
    listNotifications(deps, { ...query, accountId, userId, role, locale }),
  showNotificationChoices: ({ deps, user }) => notificationChoices(deps, user),
  async chooseNotifications({ deps, body, locale, user }) {
    const { userId, accountId } = user;
    await chooseNotifications(deps, userId, { ...body, userId, accountId, locale });
    return notificationChoices(deps, user);
  },
};
