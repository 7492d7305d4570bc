/** The pages' API: joins each row of its table to its use case. */

import { actingIn } from "../accounts/acting-session";
import type { UserSession } from "../accounts/session-store";
import {
  type PageName,
  type PageTable,
  pageEndpoints,
  permissionOf,
} from "../contract/page-endpoints";
import { type AnswerPages, pageRoutes } from "../http/page-routes";
import { type PageHandler, routeNotFound, servePage } from "../http/serve-page";
import { accountUseCases } from "./account";
import { keyUseCases } from "./api-keys";
import { autoTopupUseCases } from "./auto-topup";
import { contentUseCases } from "./content";
import { humanCheckUseCases } from "./human-check";
import { identityUseCases, operatorIdentityUseCases } from "./identities";
import { invoiceUseCases, operatorInvoiceUseCases } from "./invoices";
import { managementKeyUseCases } from "./management-keys";
import { memberUseCases } from "./members";
import { notificationUseCases } from "./notifications";
import { accountsUseCases } from "./operator-accounts";
import { actionUseCases } from "./operator-actions";
import { billUseCases } from "./operator-bills";
import { channelUseCases } from "./operator-channels";
import { groupUseCases } from "./operator-groups";
import { importUseCases } from "./operator-imports";
import { incidentUseCases } from "./operator-incidents";
import { inviteUseCases } from "./operator-invites";
import { operatorKeyUseCases } from "./operator-keys";
import { modelUseCases } from "./operator-models";
import { moneyUseCases } from "./operator-money";
import { priceUseCases } from "./operator-prices";
import { requestUseCases } from "./operator-requests";
import { settingUseCases } from "./operator-settings";
import { topupUseCases } from "./operator-topup";
import { upstreamUseCases } from "./operator-upstream";
import type { PagesDeps } from "./pages-deps";
import { paymentUseCases } from "./payments";
import { operatorPlanUseCases, planPaymentUseCases, planUseCases } from "./plans";
import { publicUseCases } from "./public";
import { recoveryUseCases } from "./recovery";
import { secondFactorUseCases } from "./second-factor";
import { signInUseCases } from "./sign-in";
import { signInStepUseCases } from "./sign-in-steps";
import { studioSessionUseCases } from "./studio-sessions";
import { tagUseCases } from "./tags";
import { taskUseCases } from "./tasks";
import { usageUseCases } from "./usage";
import { usageViewUseCases } from "./usage-views";
import type { PagesHost, UseCases } from "./use-case";
import { webhookUseCases } from "./webhooks";

export const useCases: UseCases<PageTable> = {
  ...accountUseCases,
  ...keyUseCases,
  ...managementKeyUseCases,
  ...humanCheckUseCases,
  ...memberUseCases,
  ...notificationUseCases,
  ...autoTopupUseCases,
  ...invoiceUseCases,
  ...operatorInvoiceUseCases,
  ...paymentUseCases,
  ...planUseCases,
  ...planPaymentUseCases,
  ...operatorPlanUseCases,
  ...publicUseCases,
  ...recoveryUseCases,
  ...secondFactorUseCases,
  ...identityUseCases,
  ...signInUseCases,
  ...signInStepUseCases,
  ...studioSessionUseCases,
  ...tagUseCases,
  ...taskUseCases,
  ...usageUseCases,
  ...usageViewUseCases,
  ...contentUseCases,
  ...webhookUseCases,
  ...accountsUseCases,
  ...actionUseCases,
  ...billUseCases,
  ...upstreamUseCases,
  ...channelUseCases,
  ...groupUseCases,
  ...importUseCases,
  ...incidentUseCases,
  ...inviteUseCases,
  ...operatorIdentityUseCases,
  ...operatorKeyUseCases,
  ...modelUseCases,
  ...moneyUseCases,
  ...priceUseCases,
  ...requestUseCases,
  ...settingUseCases,
  ...topupUseCases,
};

export type PageHandlers = Readonly<Record<PageName, PageHandler>>;

const names = Object.keys(pageEndpoints) as PageName[];

export function pageHandlers(host: PagesHost): PageHandlers {
  const handlerOf = <Name extends PageName>(name: Name) =>
    servePage<PagesDeps, UserSession, PageTable[Name]>(
      host,
      pageEndpoints[name],
      permissionOf(name),
      (call) =>
        call.user === null ? useCases[name](call) : actingIn(call.user, () => useCases[name](call)),
    );
  return Object.fromEntries(names.map((name) => [name, handlerOf(name)])) as PageHandlers;
}

/** Serves every address of the pages' API. */
export function answerPages(host: PagesHost): AnswerPages {
  const handlers = pageHandlers(host);
  const routes = names.map((name) => ({ row: pageEndpoints[name], handler: handlers[name] }));
  return pageRoutes(routes, routeNotFound(host));
}
