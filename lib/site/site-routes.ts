import { z } from "zod";
import type { UserSession } from "../accounts/sessions";
import { changeKeyRequest, createKeyRequest, createKeyResponse, keyResponse, keysResponse } from "../contract/api-keys";
import { entriesQuery, entriesResponse } from "../contract/entries";
import { meResponse } from "../contract/me";
import { pricesResponse } from "../contract/prices";
import {
  changeAccountRequest,
  changeAccountResponse,
  changeProfileRequest,
  changeProfileResponse,
  proofRequest,
  proofResponse,
  sessionsResponse,
} from "../contract/settings";
import { removedResponse, taskResponse, tasksQuery, tasksResponse, typicalTimesResponse } from "../contract/tasks";
import {
  requestResponse,
  runningResponse,
  spendQuery,
  spendResponse,
  statementQuery,
  statementResponse,
  usageQuery,
  usageResponse,
  usageSummaryQuery,
  usageSummaryResponse,
} from "../contract/usage";
import { changePasswordRequest, changePasswordResponse, signOutEverywhereResponse, signUpRequest, signUpResponse } from "../contract/users";
import { redeemVoucherRequest, redeemVoucherResponse } from "../contract/vouchers";
import { RelayError } from "../errors";
import { type SiteHost, siteHandler } from "../http/site";
import { siteFile } from "../http/site-file";
import { listEntries } from "./entries";
import { changeOwnKey, createOwnKey, listOwnKeys, resumeOwnKey, revokeOwnKey } from "./keys";
import { showMe } from "./me";
import { paymentRoutes } from "./payment-routes";
import { showPrices } from "./prices";
import { changeOwnAccount, changeProfile } from "./profile";
import { publicRoutes } from "./public-routes";
import { changeOwnPassword, endOwnSession, listOwnSessions, proveOwnPassword, signOutEverywhere, signUpUser } from "./security";

import type { SiteParts } from "./site-parts";
import { downloadStatement, showStatement } from "./statement";
import { listTasks, removeTask, showTask, showTypicalTimes } from "./tasks";
import { downloadUsage, listRunning, listUsage, showRequest, showSpend, showUsageSummary } from "./usage";
import { redeemOwnVoucher } from "./vouchers";

export interface Host extends SiteHost<SiteParts, UserSession> {
  /** The `Set-Cookie` with which a session goes on after the others were ended. */
  renewedCookie(parts: SiteParts, user: UserSession): Promise<string>;
  /** Which of its user's sessions asks; null where that is not known. */
  currentSessionId(): Promise<string | null>;
}

/** Every address of `/api`: who may ask, what is sent, what comes back. */
export function siteRoutes(host: Host) {
  const signedIn = { session: "required", body: null, query: null } as const;
  return {
    ...publicRoutes(host),
    ...paymentRoutes(host),
    signUp: siteHandler(host, { session: "none", status: 201, body: signUpRequest, query: null, answer: signUpResponse, run: signUpUser }),
    changePassword: siteHandler(host, {
      ...signedIn,
      body: changePasswordRequest,
      answer: changePasswordResponse,
      run: async (call) =>
        changeOwnPassword(call, await host.currentSessionId(), async (user) => {
          call.headers["set-cookie"] = await host.renewedCookie(call.parts, user);
        }),
    }),
    signOutEverywhere: siteHandler(host, { ...signedIn, answer: signOutEverywhereResponse, run: signOutEverywhere }),
    listSessions: siteHandler(host, {
      ...signedIn,
      answer: sessionsResponse,
      run: async (call) => listOwnSessions(call, await host.currentSessionId()),
    }),
    provePassword: siteHandler(host, {
      ...signedIn,
      body: proofRequest,
      answer: proofResponse,
      run: async (call) => proveOwnPassword(call, await host.currentSessionId()),
    }),
    endSession: siteHandler(host, { ...signedIn, answer: signOutEverywhereResponse, run: endOwnSession }),
    changeProfile: siteHandler(host, { ...signedIn, body: changeProfileRequest, answer: changeProfileResponse, run: changeProfile }),
    changeAccount: siteHandler(host, { ...signedIn, body: changeAccountRequest, answer: changeAccountResponse, run: changeOwnAccount }),
    showMe: siteHandler(host, { ...signedIn, answer: meResponse, run: showMe }),
    listKeys: siteHandler(host, { ...signedIn, answer: keysResponse, run: listOwnKeys }),
    createKey: siteHandler(host, { ...signedIn, status: 201, body: createKeyRequest, answer: createKeyResponse, run: createOwnKey }),
    changeKey: siteHandler(host, { ...signedIn, body: changeKeyRequest, answer: keyResponse, run: changeOwnKey }),
    revokeKey: siteHandler(host, { ...signedIn, answer: keyResponse, run: revokeOwnKey }),
    resumeKey: siteHandler(host, { ...signedIn, answer: keyResponse, run: resumeOwnKey }),
    listEntries: siteHandler(host, { ...signedIn, query: entriesQuery, answer: entriesResponse, run: listEntries }),
    listUsage: siteHandler(host, { ...signedIn, query: usageQuery, answer: usageResponse, run: listUsage }),
    showUsageSummary: siteHandler(host, { ...signedIn, query: usageSummaryQuery, answer: usageSummaryResponse, run: showUsageSummary }),
    downloadUsage: siteHandler(host, { ...signedIn, query: usageQuery, answer: siteFile, run: downloadUsage }),
    listRunning: siteHandler(host, { ...signedIn, answer: runningResponse, run: listRunning }),
    showRequest: siteHandler(host, { ...signedIn, answer: requestResponse, run: showRequest }),
    showSpend: siteHandler(host, { ...signedIn, query: spendQuery, answer: spendResponse, run: showSpend }),
    showStatement: siteHandler(host, { ...signedIn, query: statementQuery, answer: statementResponse, run: showStatement }),
    downloadStatement: siteHandler(host, { ...signedIn, query: statementQuery, answer: siteFile, run: downloadStatement }),
    listTasks: siteHandler(host, { ...signedIn, query: tasksQuery, answer: tasksResponse, run: listTasks }),
    showTask: siteHandler(host, { ...signedIn, answer: taskResponse, run: showTask }),
    removeTask: siteHandler(host, { ...signedIn, answer: removedResponse, run: removeTask }),
    showTypicalTimes: siteHandler(host, { ...signedIn, answer: typicalTimesResponse, run: showTypicalTimes }),
    redeemVoucher: siteHandler(host, { ...signedIn, body: redeemVoucherRequest, answer: redeemVoucherResponse, run: redeemOwnVoucher }),
    /** Whatever has no address of its own. */
    nothingHere: siteHandler(host, {
      session: "none",
      body: null,
      query: null,
      answer: z.never(),
      run: () => Promise.reject(new RelayError("route_not_found")),
    }),
    showPrices: siteHandler(host, { session: "optional", body: null, query: null, answer: pricesResponse, run: showPrices }),
  };
}
