import { chooseNotifications } from "../commands/notifications";
import { may } from "../contract/member-roles";
import type { notificationEndpoints } from "../contract/notifications";
import { RelayError } from "../errors";
import { notificationChoices } from "../queries/notification-choices";
import { listNotifications } from "../queries/notifications";
import type { UseCases } from "./use-case";

export const notificationUseCases: UseCases<typeof notificationEndpoints> = {
  listNotifications: ({ deps, query, locale, user: { accountId, userId, role } }) =>
    listNotifications(deps, { ...query, accountId, userId, role, locale }),
  showNotificationChoices: ({ deps, user }) => notificationChoices(deps, user),
  async chooseNotifications({ deps, body, locale, user }) {
    const { userId, accountId, role } = user;
    // When the balance is low is the account's, for all of its members.
    if (body.lowBalanceDays !== undefined && !may(role, "changeAccount"))
      throw new RelayError("role_not_allowed", { param: "lowBalanceDays" });
    await chooseNotifications(deps, userId, { ...body, userId, accountId, locale });
    return notificationChoices(deps, user);
  },
};
