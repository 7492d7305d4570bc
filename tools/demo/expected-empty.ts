/**
 * Empty by nature: card payments are not set up here, nobody has a passkey, the webhook was paused
 * before its first delivery, prompts have no pictures, channels allow the usual fields, no month is
 * archived, and nothing is broken, unserved or left behind. Few requests have a loss or a refund.
 */
export const expectedEmpty: Readonly<Record<"user" | "operator", readonly string[]>> = {
  user: [
    "listEntries.archived",
    "listPackages.packages",
    "showSecondFactor.passkeys",
    "listIdentities.identities",
    "listStudioSessions.sessions",
    "listUsageViews.views",
    "listTasks.tasks[].settings.pictures",
    "listTasks.tasks[].files",
    "listTasks.archived",
    "showTask.task.settings.pictures",
    "showTask.task.files",
    "listUsage.archived",
    "showRequest.attempts",
    "showRequest.refunds",
    "showStatement.archived",
    "listWebhookDeliveries.deliveries",
  ],
  operator: [
    "listAccountEntries.archived",
    "listActions.actions[].after.allowedFields",
    "listActions.actions[].before.allowedFields",
    "listChannels.channels[].allowedFields",
    "listChannels.channels[].credentials",
    "listChannels.channels[].health.coolingDown",
    "listChannels.unserved",
    "listGroups.groups[].models",
    "listImports.imports",
    "listPlans.plans[].unpaid",
    "listRequests.archived",
    "listUpstreamBalances.balances",
    "listUserIdentities.identities",
    "showLoggedRequest.attempts",
    "showLoggedRequest.losses",
    "showLoggedRequest.refunds",
    "showLoggedRequest.request.attempts",
    "showLoggedRequest.request.refunds",
    "showModel.needs.gaps",
    "showMoney.audit.broken",
    "showOverview.unserved",
    "showStuck.files",
  ],
};
