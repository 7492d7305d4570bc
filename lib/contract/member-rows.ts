/**
 * What a member needs to call each row of the pages' API that is for signed-in users. A new row does
 * not compile without a decision.
 */
import type { Permission } from "./member-roles";
import type { PageName, PageTable } from "./page-endpoints";

type UserRowName = {
  [Name in PageName]: PageTable[Name]["who"] extends "user" ? Name : never;
}[PageName];

/** `self`: only about the caller as a person, so every member may. */
const userRows: Readonly<Record<UserRowName, Permission | "self">> = {
  showMe: "readAccount",
  listMembers: "readAccount",
  changeMemberRole: "manageMembers",
  setMemberBudget: "manageMembers",
  removeMember: "manageMembers",
  handOverAccount: "own",
  leaveAccount: "readAccount",
  nameAccount: "changeAccount",
  inviteMember: "manageMembers",
  revokeInvitation: "manageMembers",
  acceptInvitation: "self",
  listOwnAccounts: "self",
  switchAccount: "self",
  listKeys: "readKeys",
  createKey: "makeKeys",
  changeKey: "makeKeys",
  revokeKey: "makeKeys",
  resumeKey: "makeKeys",
  listManagementKeys: "manageByApi",
  createManagementKey: "manageByApi",
  revokeManagementKey: "manageByApi",
  listEntries: "readPoints",
  listNotifications: "self",
  showNotificationChoices: "self",
  chooseNotifications: "self",
  listPackages: "readPoints",
  startPayment: "topUp",
  listPayments: "readPoints",
  showPayment: "readPoints",
  checkPayment: "topUp",
  redeemVoucher: "topUp",
  showAutoTopup: "readPoints",
  setAutoTopup: "topUp",
  stopAutoTopup: "topUp",
  saveCard: "topUp",
  checkCard: "topUp",
  removeCard: "topUp",
  confirmCard: "topUp",
  listInvoices: "readPoints",
  makeInvoice: "topUp",
  downloadInvoice: "readPoints",
  downloadReceipt: "readPoints",
  setBilling: "topUp",
  requestEmail: "self",
  closeAccount: "own",
  showSecondFactor: "self",
  startTotp: "self",
  confirmTotp: "self",
  removeTotp: "self",
  makeRecoveryCodes: "self",
  startPasskey: "self",
  addPasskey: "self",
  renamePasskey: "self",
  removePasskey: "self",
  listSessions: "self",
  endSession: "self",
  provePassword: "self",
  startPasskeyProof: "self",
  proveWithPasskey: "self",
  changeProfile: "self",
  changePassword: "self",
  signOutEverywhere: "self",
  changeAccount: "changeAccount",
  listTasks: "readUsage",
  showTask: "readUsage",
  removeTask: "work",
  showTypicalTimes: "readUsage",
  listUsage: "readUsage",
  showUsageSummary: "readUsage",
  showUsageChart: "readUsage",
  downloadUsage: "readUsage",
  listRunning: "readUsage",
  showRequest: "readUsage",
  showSpend: "readAccount",
  showStatement: "readPoints",
  downloadStatement: "readPoints",
  listWebhooks: "readWebhooks",
  createWebhook: "changeAccount",
  changeWebhook: "changeAccount",
  pauseWebhook: "changeAccount",
  resumeWebhook: "changeAccount",
  rotateWebhook: "changeAccount",
  removeWebhook: "changeAccount",
  testWebhook: "changeAccount",
  listWebhookDeliveries: "readWebhooks",
  redeliverWebhook: "changeAccount",
};

/** The permission that a row needs; null for a row that asks for no role. */
export function permissionOf(name: PageName): Permission | null {
  const rows: Readonly<Partial<Record<PageName, Permission | "self">>> = userRows;
  const needed = rows[name];
  return needed === undefined || needed === "self" ? null : needed;
}
