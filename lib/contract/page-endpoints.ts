/**
 * The pages' API as one table, for the server and the tests. A page imports only the rows of its
 * noun.
 */

import { keyEndpoints } from "./api-keys";
import { autoTopupEndpoints } from "./auto-topup";
import { contentEndpoints } from "./content";
import { entryEndpoints } from "./entries";
import { humanCheckEndpoints } from "./human-check";
import { identityEndpoints } from "./identities";
import { invoiceEndpoints } from "./invoices";
import { managementKeyEndpoints } from "./management-keys";
import { meEndpoints } from "./me";
import type { Permission } from "./member-roles";
import { memberEndpoints } from "./members";
import { notificationEndpoints } from "./notifications";
import { overviewEndpoints } from "./operator";
import { accountEndpoints } from "./operator-accounts";
import { actionEndpoints } from "./operator-actions";
import { billEndpoints } from "./operator-bills";
import { channelEndpoints } from "./operator-channels";
import { groupEndpoints } from "./operator-groups";
import { operatorIdentityEndpoints } from "./operator-identities";
import { importEndpoints } from "./operator-imports";
import { incidentEndpoints } from "./operator-incidents";
import { inviteEndpoints } from "./operator-invites";
import { operatorInvoiceEndpoints } from "./operator-invoices";
import { operatorKeyEndpoints } from "./operator-keys";
import { modelEndpoints } from "./operator-models";
import { moneyEndpoints } from "./operator-money";
import { operatorPlanEndpoints } from "./operator-plans";
import { priceEndpoints } from "./operator-prices";
import { requestEndpoints } from "./operator-requests";
import { settingEndpoints } from "./operator-settings";
import { topupEndpoints } from "./operator-topup";
import { trendEndpoints } from "./operator-trends";
import { upstreamEndpoints } from "./operator-upstream";
import type { PageEndpoint, PageEndpoints } from "./page-endpoint";
import { paymentEndpoints } from "./payments";
import { planEndpoints, planPaymentEndpoints } from "./plans";
import { publicEndpoints } from "./public";
import { recoveryEndpoints } from "./recovery";
import { secondFactorEndpoints } from "./second-factor";
import { settingsEndpoints } from "./settings";
import { signInStepEndpoints } from "./sign-in-steps";
import { studioSessionEndpoints } from "./studio-sessions";
import { tagEndpoints } from "./tags";
import { taskEndpoints } from "./tasks";
import { usageEndpoints } from "./usage";
import { usageViewEndpoints } from "./usage-views";
import { userEndpoints } from "./users";
import { voucherEndpoints } from "./vouchers";
import { webhookEndpoints } from "./webhooks";

export const pageEndpoints = {
  ...meEndpoints,
  ...memberEndpoints,
  ...keyEndpoints,
  ...managementKeyEndpoints,
  ...notificationEndpoints,
  ...autoTopupEndpoints,
  ...invoiceEndpoints,
  ...operatorInvoiceEndpoints,
  ...entryEndpoints,
  ...humanCheckEndpoints,
  ...paymentEndpoints,
  ...planEndpoints,
  ...planPaymentEndpoints,
  ...publicEndpoints,
  ...recoveryEndpoints,
  ...secondFactorEndpoints,
  ...identityEndpoints,
  ...settingsEndpoints,
  ...signInStepEndpoints,
  ...studioSessionEndpoints,
  ...usageViewEndpoints,
  ...tagEndpoints,
  ...taskEndpoints,
  ...usageEndpoints,
  ...contentEndpoints,
  ...userEndpoints,
  ...voucherEndpoints,
  ...webhookEndpoints,
  ...accountEndpoints,
  ...actionEndpoints,
  ...billEndpoints,
  ...channelEndpoints,
  ...groupEndpoints,
  ...importEndpoints,
  ...incidentEndpoints,
  ...inviteEndpoints,
  ...operatorIdentityEndpoints,
  ...operatorKeyEndpoints,
  ...modelEndpoints,
  ...moneyEndpoints,
  ...operatorPlanEndpoints,
  ...priceEndpoints,
  ...requestEndpoints,
  ...settingEndpoints,
  ...topupEndpoints,
  ...overviewEndpoints,
  ...trendEndpoints,
  ...upstreamEndpoints,
} as const satisfies PageEndpoints;

/** Each row with the types of its own schemas. */
export type PageTable = typeof pageEndpoints;
export type PageName = keyof PageTable;

/** The permission that a row needs; null for a row that asks for no role. */
export function permissionOf(name: PageName): Permission | null {
  const { permission = "self" }: PageEndpoint = pageEndpoints[name];
  return permission === "self" ? null : permission;
}
