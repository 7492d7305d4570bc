/**
 * What the pages of an account do, by API for management keys: each row of theirs has its scope
 * here, the rows of `/v1` that do the same, or the reason why no key may do it. A new row of the
 * pages does not compile without one of them.
 */
import type { EndpointName } from "./endpoints";
import type { PageTable } from "./page-endpoints";
import type { ManagementScope } from "./states";

export type AccountRowName = {
  [Name in keyof PageTable]: PageTable[Name]["who"] extends "user" ? Name : never;
}[keyof PageTable];

interface Served {
  readonly scope: ManagementScope;
  readonly summary: string;
}
interface Elsewhere {
  readonly sameAs: EndpointName;
}
interface LeftOut {
  readonly leftOut: string;
}

const by = (scope: ManagementScope, summary: string): Served => ({ scope, summary });
const as = (sameAs: EndpointName): Elsewhere => ({ sameAs });
const out = (leftOut: string): LeftOut => ({ leftOut });

const noKeys = out(
  "A key that makes or revokes keys of its kind could outlive its own revocation.",
);
const person = out("It is about a person, not about the account: only that person does it.");
const proof = out("It proves who a person is, in a browser and for a session.");
const card = out("A person enters a card, and agrees to its charges, with a fresh proof.");
const buyer = out("A person pays, on the page of the payment provider.");
const live = out(
  "The page asks for it again and again while it is shown; the lists have the same.",
);

export const accountApi: Readonly<Record<AccountRowName, Served | Elsewhere | LeftOut>> = {
  showMe: as("getBalance"),
  listMembers: as("listMembers"),
  changeMemberRole: as("changeMember"),
  setMemberBudget: as("changeMember"),
  removeMember: as("removeMember"),
  inviteMember: as("createInvitation"),
  revokeInvitation: as("revokeInvitation"),
  handOverAccount: out("Only the owner hands an account over, with a fresh proof."),
  leaveAccount: person,
  acceptInvitation: person,
  listOwnAccounts: person,
  switchAccount: person,
  nameAccount: by("account:write", "Name the account, as its members see it"),
  changeAccount: by("account:write", "Change when the balance is low, and whether retries join"),
  closeAccount: out("Only the owner closes an account, with a fresh proof."),
  listKeys: as("listApiKeys"),
  createKey: as("createApiKey"),
  changeKey: as("changeApiKey"),
  revokeKey: as("revokeApiKey"),
  resumeKey: as("changeApiKey"),
  listManagementKeys: noKeys,
  createManagementKey: noKeys,
  revokeManagementKey: noKeys,
  listEntries: by("points:read", "List what changed the balance, newest first"),
  listNotifications: person,
  showNotificationChoices: person,
  chooseNotifications: person,
  listPackages: by("points:read", "List the packages of points that can be bought"),
  startPayment: buyer,
  listPayments: by("points:read", "List the payments, newest first"),
  showPayment: by("points:read", "Get a payment"),
  checkPayment: by("points:write", "Ask the payment provider about a payment at once"),
  redeemVoucher: by("points:write", "Redeem a voucher"),
  showPlan: by("points:read", "Get the plan, the points that end, and the plans to choose from"),
  choosePlan: by("points:write", "Choose a plan, from the next period on if there is one now"),
  cancelPlan: by("points:write", "Cancel the plan with the end of its period"),
  showAutoTopup: by("points:read", "Get the automatic top-up and its card"),
  setAutoTopup: card,
  stopAutoTopup: by("points:write", "Turn the automatic top-up off"),
  saveCard: card,
  checkCard: card,
  removeCard: by("points:write", "Remove the saved card, and turn the automatic top-up off"),
  confirmCard: card,
  listInvoices: by("points:read", "List the invoices, and the months without one"),
  makeInvoice: by("points:write", "Make the invoice of a month"),
  downloadInvoice: by("points:read", "Get an invoice as PDF"),
  downloadReceipt: by("points:read", "Get the receipt of a payment as PDF"),
  setBilling: by("account:write", "Set the name, address and tax number of the next invoices"),
  requestEmail: person,
  showSecondFactor: person,
  startTotp: person,
  confirmTotp: person,
  removeTotp: person,
  makeRecoveryCodes: person,
  startPasskey: person,
  addPasskey: person,
  renamePasskey: person,
  removePasskey: person,
  listIdentities: person,
  startIdentity: person,
  removeIdentity: person,
  listSessions: person,
  endSession: person,
  provePassword: proof,
  startPasskeyProof: proof,
  proveWithPasskey: proof,
  changeProfile: person,
  changePassword: person,
  signOutEverywhere: person,
  listTasks: by("usage:read", "List the videos and images, newest first"),
  showTask: by("usage:read", "Get a video or an image"),
  removeTask: by("account:write", "Remove a video or an image that has ended from the list"),
  showTypicalTimes: live,
  listUsage: by("usage:read", "List the requests, newest first"),
  showUsageSummary: by("usage:read", "Get the sums of the requests by model, key or day"),
  showUsageChart: by("usage:read", "Get the requests of a time in slots"),
  downloadUsage: by("usage:read", "Get the requests as CSV"),
  listRunning: live,
  showRequest: by("usage:read", "Get a request with its charge"),
  showSpend: by("usage:read", "Get what was spent recently"),
  showStatement: by("points:read", "Get the statement of a time: balances and sums by kind"),
  downloadStatement: by("points:read", "Get the statement of a time as CSV"),
  listWebhooks: by("webhooks:read", "List the webhooks of notifications"),
  createWebhook: by("webhooks:write", "Create a webhook; the answer has its signing secret"),
  changeWebhook: by("webhooks:write", "Change the given fields of a webhook"),
  pauseWebhook: by("webhooks:write", "Pause a webhook"),
  resumeWebhook: by("webhooks:write", "Resume a paused webhook"),
  rotateWebhook: by("webhooks:write", "Make a new signing secret, beside the old one for a day"),
  removeWebhook: by("webhooks:write", "Remove a webhook with its log"),
  testWebhook: by("webhooks:write", "Send a test to a webhook"),
  listWebhookDeliveries: by("webhooks:read", "List what was sent to a webhook, newest first"),
  redeliverWebhook: by("webhooks:write", "Send a delivery again"),
};
