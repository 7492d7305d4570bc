import { entriesResponse } from "../contract/entries";
import {
  accountEntriesQuery,
  accountLimitsRequest,
  accountResponse,
  accountsQuery,
  accountsResponse,
  adjustRequest,
  adjustResponse,
  createInviteRequest,
  createInviteResponse,
  doneResponse,
  inviteResponse,
  invitesQuery,
  invitesResponse,
  multiplierRequest,
  suspendRequest,
} from "../contract/operator-accounts";
import { siteHandler } from "../http/site";
import type { Host } from "../site/site-routes";
import {
  adjustAccount,
  endAnySession,
  resumeAnAccount,
  revokeAnyKey,
  setAccountLimits,
  setAccountMultiplier,
  suspendAnAccount,
} from "./account-actions";
import { listAccountEntries, listAccounts, showAccount } from "./accounts";
import { inviteSomeone, listAllInvites, takeInviteBack } from "./invites";

/** `/api/admin/accounts…`, `/keys`, `/sessions` and `/invites`. */
export function accountRoutes(host: Host) {
  const read = { session: "operator", body: null, query: null } as const;
  const write = { ...read, proof: "recent", answer: doneResponse } as const;
  return {
    listAccounts: siteHandler(host, { ...read, query: accountsQuery, answer: accountsResponse, run: listAccounts }),
    showAccount: siteHandler(host, { ...read, answer: accountResponse, run: showAccount }),
    listAccountEntries: siteHandler(host, { ...read, query: accountEntriesQuery, answer: entriesResponse, run: listAccountEntries }),
    adjustAccount: siteHandler(host, { ...write, body: adjustRequest, answer: adjustResponse, run: adjustAccount }),
    setAccountMultiplier: siteHandler(host, { ...write, body: multiplierRequest, run: setAccountMultiplier }),
    setAccountLimits: siteHandler(host, { ...write, body: accountLimitsRequest, run: setAccountLimits }),
    suspendAccount: siteHandler(host, { ...write, body: suspendRequest, run: suspendAnAccount }),
    resumeAccount: siteHandler(host, { ...write, run: resumeAnAccount }),
    revokeAnyKey: siteHandler(host, { ...write, run: revokeAnyKey }),
    endAnySession: siteHandler(host, { ...write, run: endAnySession }),
    listInvites: siteHandler(host, { ...read, query: invitesQuery, answer: invitesResponse, run: listAllInvites }),
    createInvite: siteHandler(host, {
      ...write,
      status: 201,
      body: createInviteRequest,
      answer: createInviteResponse,
      run: inviteSomeone,
    }),
    revokeInvite: siteHandler(host, { ...write, answer: inviteResponse, run: takeInviteBack }),
  };
}
