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
import { listAccountEntries, listAccounts, showAccount } from "../queries/accounts";
import { listAllInvites } from "../queries/invites";
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
import { inviteSomeone, takeInviteBack } from "./invites";

/** `/api/admin/accounts…`, `/keys`, `/sessions` and `/invites`. */
export function accountRoutes(host: Host) {
  const read = { session: "operator", body: null, query: null } as const;
  const write = { ...read, proof: "recent", answer: doneResponse } as const;
  return {
    listAccounts: siteHandler(host, {
      ...read,
      query: accountsQuery,
      answer: accountsResponse,
      run: ({ parts, query }) => listAccounts(parts, query),
    }),
    showAccount: siteHandler(host, { ...read, answer: accountResponse, run: ({ parts, id }) => showAccount(parts, { id }) }),
    listAccountEntries: siteHandler(host, {
      ...read,
      query: accountEntriesQuery,
      answer: entriesResponse,
      run: ({ parts, query, id }) => listAccountEntries(parts, { ...query, id }),
    }),
    adjustAccount: siteHandler(host, { ...write, body: adjustRequest, answer: adjustResponse, run: adjustAccount }),
    setAccountMultiplier: siteHandler(host, { ...write, body: multiplierRequest, run: setAccountMultiplier }),
    setAccountLimits: siteHandler(host, { ...write, body: accountLimitsRequest, run: setAccountLimits }),
    suspendAccount: siteHandler(host, { ...write, body: suspendRequest, run: suspendAnAccount }),
    resumeAccount: siteHandler(host, { ...write, run: resumeAnAccount }),
    revokeAnyKey: siteHandler(host, { ...write, run: revokeAnyKey }),
    endAnySession: siteHandler(host, { ...write, run: endAnySession }),
    listInvites: siteHandler(host, {
      ...read,
      query: invitesQuery,
      answer: invitesResponse,
      run: ({ parts, query }) => listAllInvites(parts, query),
    }),
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
