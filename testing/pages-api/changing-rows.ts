/**
 * Every row of the pages' API that changes something, with what does the same on the command line,
 * or the reason why nothing does. `lib/contract/operator-api.ts` and `account-api.ts` say it of the
 * API; `byAnyone` says it of the rows that need no session. A new row does not compile without one.
 */
import type { PageName, PageTable } from "@/lib/contract/page-endpoints";

export type ChangingRow = {
  [Name in PageName]: PageTable[Name]["method"] extends "GET" ? never : Name;
}[PageName];

/** `noun verb`, or why there is none. */
type OnCommandLine = `${string} ${string}` | { readonly none: string };

const none = (reason: string) => ({ none: reason });

const browser = none("It begins or proves a session of a browser; the command line has none.");
const device = none("A device of the person answers; `account second-factor --reset` removes it.");
const card = none("The person enters the card, on the page of the payment provider.");
const invitee = none("The invited person accepts, signed in.");
const mailed = none("The link in the mail is the proof; an operator has `account email` instead.");
const oneself = none("A person about oneself; `member remove` is the same by an operator.");
const shown = none("It changes only what a session shows.");

export const onCommandLine: Readonly<Record<ChangingRow, OnCommandLine>> = {
  changeMemberRole: "member role",
  setMemberBudget: "member budget",
  removeMember: "member remove",
  handOverAccount: "member hand-over",
  leaveAccount: oneself,
  nameAccount: "account name",
  inviteMember: "member invite",
  revokeInvitation: "member uninvite",
  acceptInvitation: invitee,
  switchAccount: shown,
  createKey: "key create",
  changeKey: "key change",
  revokeKey: "key revoke",
  resumeKey: "key resume",
  createManagementKey: "management-key create",
  revokeManagementKey: "management-key revoke",
  chooseNotifications: "notification choose",
  startPayment: none("The buyer pays on the page of the payment provider, and returns to ours."),
  checkPayment: "payment check",
  redeemVoucher: "voucher redeem",
  setAutoTopup: "auto-topup set",
  stopAutoTopup: "auto-topup off",
  saveCard: card,
  checkCard: "auto-topup sweep",
  removeCard: "auto-topup remove-card",
  confirmCard: card,
  makeInvoice: "invoice make",
  setBilling: "billing set",
  forgotPassword: none("`account password` sets one without a mail."),
  resetPassword: "account password",
  requestEmail: "account email",
  confirmEmail: mailed,
  undoEmail: mailed,
  closeAccount: "account close",
  startTotp: device,
  confirmTotp: device,
  removeTotp: "account second-factor",
  makeRecoveryCodes: none("They are shown to their person only."),
  startPasskey: device,
  addPasskey: device,
  renamePasskey: none("It is how a person calls the own device."),
  removePasskey: "account second-factor",
  startIdentity: none("The person signs in at the other service, in the browser that asked."),
  removeIdentity: "account identity",
  endSession: "session end",
  provePassword: browser,
  startPasskeyProof: browser,
  proveWithPasskey: browser,
  startPasskeySignIn: browser,
  signInWithPasskey: browser,
  completeWithCode: browser,
  cancelSignIn: browser,
  changeProfile: none("It is how a person is called by the pages; it is not recorded."),
  changePassword: "account password",
  signOutEverywhere: "account sign-out",
  changeAccount: "account notice",
  signUp: "account create",
  removeTask: "task remove",
  createWebhook: "webhook create",
  changeWebhook: "webhook change",
  pauseWebhook: "webhook pause",
  resumeWebhook: "webhook resume",
  rotateWebhook: "webhook rotate",
  removeWebhook: "webhook remove",
  testWebhook: "webhook test",
  redeliverWebhook: "webhook redeliver",
  createAccount: "account create",
  adjustPoints: "account credit",
  changeMultiplier: "account multiplier",
  changeKeyDefault: "account limits",
  changeAccountGroup: "account group",
  createGroup: "group create",
  changeGroup: "group change",
  deleteGroup: "group delete",
  suspendAccount: "account suspend",
  resumeAccount: "account resume",
  revokeAccountKey: "key revoke",
  endAccountSession: "session end",
  removeUserIdentity: "account identity",
  createInvite: "invite create",
  revokeInvite: "invite revoke",
  createChannel: "channel create",
  changeChannel: "channel edit",
  removeChannel: "channel remove",
  setChannelState: "channel disable",
  testChannel: "channel test",
  openIncident: "incident open",
  updateIncident: "incident update",
  createOperatorKey: "operator-key create",
  revokeOperatorKey: "operator-key revoke",
  auditLedger: "ledger audit",
  createModel: "model create",
  changeModel: "model change",
  mapModel: "model map",
  offerModel: "model offer",
  restoreModel: "model restore",
  retireModel: "model retire",
  importModels: "model import",
  setPrice: "price set",
  previewPrice: "price preview",
  withdrawPrice: "price withdraw",
  noteUpstreamPrice: "price cost",
  refundCharge: "ledger refund",
  checkTask: "task check",
  sweepLedger: "ledger sweep",
  releaseNode: "node release",
  setLiveSetting: "setting set",
  postNotice: "notice post",
  endNotice: "notice end",
  createVouchers: "voucher create",
  cancelVouchers: "voucher cancel",
  makeDueInvoices: "invoice due",
  createPackage: "package create",
  changePackage: "package change",
  attendPayment: "payment attend",
  createPlan: "plan create",
  changePlan: "plan change",
  retirePlan: "plan retire",
  setAccountPlan: "plan set",
  cancelAccountPlan: "plan cancel",
  pauseAccountPlan: "plan pause",
  resumeAccountPlan: "plan resume",
  choosePlan: "plan set",
  cancelPlan: "plan cancel",
};

type OfAnyone = {
  [Name in ChangingRow]: PageTable[Name]["who"] extends "anyone" ? Name : never;
}[ChangingRow];

const before = "Whoever has no account yet, or no session, has no key either.";

/** Why no key of the API may call the rows that need no session. */
export const byAnyone: Readonly<Record<OfAnyone, string>> = {
  forgotPassword: before,
  resetPassword: before,
  confirmEmail: before,
  undoEmail: before,
  startPasskeySignIn: before,
  signInWithPasskey: before,
  completeWithCode: before,
  cancelSignIn: before,
  signUp: "An operator's key makes accounts at POST /v1/admin/accounts.",
};
