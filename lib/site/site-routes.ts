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
import { SiteFile, siteFile } from "../http/site-file";
import { listOwnKeys } from "../queries/api-keys";
import { listEntries } from "../queries/entries";
import { showMe } from "../queries/me";
import { listPrices } from "../queries/prices";
import { showStatement, statementCsv } from "../queries/statement";
import { listTasks, showTask, showTypicalTimes } from "../queries/tasks";
import { listRunning, listUsage, showRequest, showSpend, showUsageSummary, usageCsv } from "../queries/usage";
import { changeOwnKey, createOwnKey, resumeOwnKey, revokeOwnKey } from "./keys";
import { paymentRoutes } from "./payment-routes";
import { changeOwnAccount, changeProfile } from "./profile";
import { publicRoutes } from "./public-routes";
import { changeOwnPassword, endOwnSession, listOwnSessions, proveOwnPassword, signOutEverywhere, signUpUser } from "./security";
import type { SiteParts } from "./site-parts";
import { removeTask } from "./tasks";
import { redeemOwnVoucher } from "./vouchers";

export interface Host extends SiteHost<SiteParts, UserSession> {
  /** The `Set-Cookie` with which a session goes on after the others were ended. */
  renewedCookie(parts: SiteParts, user: UserSession): Promise<string>;
  /** Which of its user's sessions asks; null where that is not known. */
  currentSessionId(): Promise<string | null>;
}

const signedIn = { session: "required", body: null, query: null } as const;

/** What the account asked for and what was charged. */
function usageRoutes(host: Host) {
  return {
    listUsage: siteHandler(host, {
      ...signedIn,
      query: usageQuery,
      answer: usageResponse,
      run: ({ parts, query, user }) => listUsage(parts, { ...query, accountId: user().accountId }),
    }),
    showUsageSummary: siteHandler(host, {
      ...signedIn,
      query: usageSummaryQuery,
      answer: usageSummaryResponse,
      run: ({ parts, query, user }) => showUsageSummary(parts, { ...query, accountId: user().accountId }),
    }),
    downloadUsage: siteHandler(host, {
      ...signedIn,
      query: usageQuery,
      answer: siteFile,
      run: async ({ parts, query, user }) =>
        new SiteFile(`relay-usage-${query.from}-${query.to}.csv`, await usageCsv(parts, { ...query, accountId: user().accountId })),
    }),
    listRunning: siteHandler(host, { ...signedIn, answer: runningResponse, run: ({ parts, user }) => listRunning(parts, user()) }),
    showRequest: siteHandler(host, {
      ...signedIn,
      answer: requestResponse,
      run: ({ parts, id, user }) => showRequest(parts, { id, accountId: user().accountId }),
    }),
    showSpend: siteHandler(host, {
      ...signedIn,
      query: spendQuery,
      answer: spendResponse,
      run: ({ parts, query, user }) => showSpend(parts, { ...query, accountId: user().accountId }),
    }),
    showStatement: siteHandler(host, {
      ...signedIn,
      query: statementQuery,
      answer: statementResponse,
      run: ({ parts, query, user }) => showStatement(parts, { ...query, accountId: user().accountId }),
    }),
    downloadStatement: siteHandler(host, {
      ...signedIn,
      query: statementQuery,
      answer: siteFile,
      run: async ({ parts, query, user }) =>
        new SiteFile(`relay-statement-${query.from}-${query.to}.csv`, await statementCsv(parts, { ...query, accountId: user().accountId })),
    }),
  };
}

/** The account's videos and images. */
function taskRoutes(host: Host) {
  return {
    listTasks: siteHandler(host, {
      ...signedIn,
      query: tasksQuery,
      answer: tasksResponse,
      run: ({ parts, query, user }) => listTasks(parts, { ...query, accountId: user().accountId }),
    }),
    showTask: siteHandler(host, {
      ...signedIn,
      answer: taskResponse,
      run: ({ parts, id, user }) => showTask(parts, { id, accountId: user().accountId }),
    }),
    removeTask: siteHandler(host, { ...signedIn, answer: removedResponse, run: removeTask }),
    showTypicalTimes: siteHandler(host, { ...signedIn, answer: typicalTimesResponse, run: ({ parts }) => showTypicalTimes(parts) }),
  };
}

/** Every address of `/api`: who may ask, what is sent, what comes back. */
export function siteRoutes(host: Host) {
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
    showMe: siteHandler(host, { ...signedIn, answer: meResponse, run: ({ parts, user }) => showMe(parts, user()) }),
    listKeys: siteHandler(host, { ...signedIn, answer: keysResponse, run: ({ parts, user }) => listOwnKeys(parts, user().accountId) }),
    createKey: siteHandler(host, { ...signedIn, status: 201, body: createKeyRequest, answer: createKeyResponse, run: createOwnKey }),
    changeKey: siteHandler(host, { ...signedIn, body: changeKeyRequest, answer: keyResponse, run: changeOwnKey }),
    revokeKey: siteHandler(host, { ...signedIn, answer: keyResponse, run: revokeOwnKey }),
    resumeKey: siteHandler(host, { ...signedIn, answer: keyResponse, run: resumeOwnKey }),
    listEntries: siteHandler(host, {
      ...signedIn,
      query: entriesQuery,
      answer: entriesResponse,
      run: ({ parts, query, user }) => listEntries(parts, { ...query, accountId: user().accountId }),
    }),
    ...usageRoutes(host),
    ...taskRoutes(host),
    redeemVoucher: siteHandler(host, { ...signedIn, body: redeemVoucherRequest, answer: redeemVoucherResponse, run: redeemOwnVoucher }),
    /** Whatever has no address of its own. */
    nothingHere: siteHandler(host, {
      session: "none",
      body: null,
      query: null,
      answer: z.never(),
      run: () => Promise.reject(new RelayError("route_not_found")),
    }),
    showPrices: siteHandler(host, {
      session: "optional",
      body: null,
      query: null,
      answer: pricesResponse,
      run: async ({ parts, isSignedIn, user }) => ({ prices: await listPrices(parts, isSignedIn ? user().accountId : null) }),
    }),
  };
}
