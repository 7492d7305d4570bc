/**
 * What the operators' pages do, by API for operator keys: each row of theirs has its scope here, or
 * the reason why no key may do it. A new row of the pages does not compile without either.
 */
import type { PageTable } from "./page-endpoints";
import type { LiveSettingName, OperatorScope } from "./states";

export type OperatorRowName = {
  [Name in keyof PageTable]: PageTable[Name]["who"] extends "operator" ? Name : never;
}[keyof PageTable];

interface Served {
  readonly scope: OperatorScope;
  readonly summary: string;
}
interface LeftOut {
  readonly leftOut: string;
}

const by = (scope: OperatorScope, summary: string): Served => ({ scope, summary });
const out = (leftOut: string): LeftOut => ({ leftOut });
const noKeys = out(
  "A key that makes or revokes keys of its kind could outlive its own revocation.",
);

export const operatorApi: Readonly<Record<OperatorRowName, Served | LeftOut>> = {
  listAccounts: by("accounts:read", "List accounts, newest first"),
  createAccount: by("accounts:write", "Create an account with its first user, without points"),
  showAccount: by("accounts:read", "Get an account with its people, keys and usage"),
  listAccountEntries: by("accounts:read", "List what changed an account's balance"),
  adjustPoints: by("points:write", "Add points to an account or take them away, once per ref"),
  changeMultiplier: by("prices:write", "Change an account's multiplier, or that of one model"),
  changeKeyDefault: by("accounts:write", "Change the requests a minute of an account's new keys"),
  changeAccountGroup: by("prices:write", "Put an account into a group, or take it out"),
  listGroups: by("accounts:read", "List the groups of accounts"),
  createGroup: by("prices:write", "Create a group of accounts"),
  changeGroup: by("prices:write", "Change the given fields of a group of accounts"),
  deleteGroup: by("prices:write", "Delete a group that has no account"),
  listImports: by("accounts:read", "List the relays from which accounts moved here"),
  suspendAccount: by("accounts:write", "Suspend an account"),
  resumeAccount: by("accounts:write", "Resume a suspended account"),
  revokeAccountKey: by("accounts:write", "Revoke an API key of any account"),
  endAccountSession: out("Sessions belong to people: a person ends them on the page."),
  listUserIdentities: by("accounts:read", "List the services through which members sign in"),
  removeUserIdentity: by("access:write", "Remove a service through which a user signs in"),
  // An invitation can carry points, and a voucher does.
  listInvites: by("accounts:read", "List invitations, newest first"),
  createInvite: by("points:write", "Create an invitation; the answer alone has its link"),
  revokeInvite: by("points:write", "Revoke an invitation"),
  listActions: by("audit:read", "List the audit log, newest first"),
  downloadActions: by("audit:read", "Get the audit log as CSV"),
  checkChain: by("audit:read", "Check the hashes of the whole audit log"),
  listChannels: by("channels:read", "List the channels"),
  createChannel: by("channels:write", "Create a channel"),
  changeChannel: by("channels:write", "Change the given fields of a channel"),
  removeChannel: by("channels:write", "Remove a channel, or archive one that was used"),
  setChannelState: by("channels:write", "Enable, drain or disable a channel"),
  testChannel: by("channels:write", "Test a channel with a real request to its upstream"),
  listIncidents: by("settings:read", "List the incidents"),
  openIncident: by("notices:write", "Open an incident"),
  updateIncident: by("notices:write", "Add an update to an incident"),
  listOperatorKeys: noKeys,
  createOperatorKey: noKeys,
  revokeOperatorKey: noKeys,
  showMoney: by("money:read", "Get the sums of charges, costs and credits"),
  downloadMoney: by("money:read", "Get the sums by day and model as CSV"),
  auditLedger: by("operations:write", "Audit the ledger now"),
  listCatalogue: by("models:read", "List the models in every state, drafts too"),
  createModel: by("models:write", "Make a draft of a model, which customers do not see"),
  showModel: by("models:read", "Get a model, what it lacks and the channels that serve it"),
  changeModel: by("models:write", "Change a model: new orders run under the new version"),
  mapModel: by("channels:write", "Map a channel to a model, or take the model from it"),
  offerModel: by("models:write", "Offer a draft to customers"),
  restoreModel: by("models:write", "Offer a model again that retires or has retired"),
  retireModel: by("models:write", "Retire a model now, or at a date until which it is served"),
  listUpstreamModels: by("models:read", "List the models that a channel's upstream has"),
  importModels: by("models:write", "Make drafts of models of an upstream, mapped by its channel"),
  showOperatorPrices: by("prices:read", "List the prices of all models"),
  setPrice: by("prices:write", "Set the price of a model, now or from a later time"),
  listPriceVersions: by("prices:read", "List the versions of a model's price"),
  previewPrice: by("prices:read", "Get what a new price would have charged, without setting it"),
  withdrawPrice: by("prices:write", "Withdraw a price that is not in force yet"),
  noteUpstreamPrice: by("prices:write", "Note what an upstream charges for a model"),
  listRequests: by("usage:read", "List requests of all accounts, newest first"),
  showLoggedRequest: by("usage:read", "Get a request with its charge and its tries"),
  refundCharge: by("points:write", "Refund the charge of a request or a part of it, once per ref"),
  listAllTasks: by("usage:read", "List the tasks of all accounts, newest first"),
  checkTask: by("operations:write", "Ask the upstream of a task again at once"),
  showStuck: by("usage:read", "List what may need an operator: holds, tasks, processes, files"),
  sweepLedger: by("operations:write", "End what processes that are gone left open"),
  releaseNode: by("operations:write", "Give a dead process up and release what it held"),
  showOperatorSettings: by("settings:read", "List the settings and the notices"),
  setLiveSetting: by("settings:write", "Change a setting; some need another scope as well"),
  postNotice: by("notices:write", "Show a notice on all pages"),
  endNotice: by("notices:write", "End a notice"),
  listVoucherBatches: by("money:read", "List the batches of vouchers, newest first"),
  createVouchers: by("points:write", "Create vouchers; the answer alone has their codes"),
  listBatchVouchers: by("money:read", "List the vouchers of a batch, without their codes"),
  downloadBatch: by("money:read", "Get the vouchers of a batch as CSV, without their codes"),
  cancelVouchers: by("points:write", "Cancel the vouchers of a batch that are left"),
  listAllPackages: by("prices:read", "List the packages of points that are sold"),
  createPackage: by("prices:write", "Create a package"),
  changePackage: by("prices:write", "Change the given fields of a package"),
  listPlans: by("money:read", "List the plans, with the number of their accounts"),
  createPlan: by("points:write", "Create a plan: points for each period, in a group"),
  changePlan: by("points:write", "Change the given fields of a plan, from the next periods on"),
  retirePlan: by("points:write", "Retire a plan: who is on it stays, and nobody follows"),
  showAccountPlan: by("accounts:read", "Get an account's plan and its points that end"),
  setAccountPlan: by("points:write", "Put an account on a plan, now or from its next period on"),
  cancelAccountPlan: by("points:write", "End an account's plan, now or with its period"),
  pauseAccountPlan: by("points:write", "Pause an account's plan: no period follows"),
  resumeAccountPlan: by("points:write", "Resume an account's plan"),
  listAllPayments: by("money:read", "List the payments of all accounts, newest first"),
  listAllInvoices: by("money:read", "List the invoices of all accounts, with the sums of a month"),
  makeDueInvoices: by("operations:write", "Make invoices of the last month that are due"),
  listAccountInvoices: by("money:read", "List an account's invoices, and months without one"),
  downloadAnyInvoice: by("money:read", "Get an invoice as PDF"),
  attendPayment: by("operations:write", "Note that a payment was looked after"),
  showTrends: by("usage:read", "Get the requests of a day, a week or a month in slots"),
  showOverview: by("usage:read", "Get the state of the installation in figures"),
};

/** The settings that decide who has access or what is given away, and the scope that each needs as well. */
export const settingScopes: Readonly<Record<LiveSettingName, OperatorScope>> = {
  sign_up: "access:write",
  welcome_points: "points:write",
  welcome_per_address: "points:write",
  welcome_per_domain: "points:write",
  welcome_verified: "points:write",
  key_requests_per_minute: "settings:write",
  key_budget: "settings:write",
  response_days: "settings:write",
  channel_test_seconds: "settings:write",
  second_factor: "access:write",
  status_page: "settings:write",
  human_check: "access:write",
  human_check_tries: "access:write",
  automatic_topup: "points:write",
  seller_name: "settings:write",
  seller_address: "settings:write",
  seller_tax_number: "settings:write",
  referral_points: "points:write",
  referral_days: "points:write",
  referral_month_max: "points:write",
  referral_total_max: "points:write",
};
