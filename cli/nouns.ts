import type { AnyCommand } from "./command";

type Verbs = Readonly<Record<string, AnyCommand>>;

/** The commands of each noun, loaded on first use. A command without a verb has the empty verb. */
export const nouns: Readonly<Record<string, () => Promise<Verbs>>> = {
  account: async () => (await import("./account")).accountCommands,
  session: async () => (await import("./session")).sessionCommands,
  notification: async () => (await import("./notification")).notificationCommands,
  webhook: async () => (await import("./webhook")).webhookCommands,
  member: async () => (await import("./member")).memberCommands,
  group: async () => (await import("./group")).groupCommands,
  key: async () => (await import("./key")).keyCommands,
  "management-key": async () => (await import("./management-key")).managementKeyCommands,
  "operator-key": async () => (await import("./operator-key")).operatorKeyCommands,
  channel: async () => (await import("./channel")).channelCommands,
  model: async () => (await import("./model")).modelCommands,
  price: async () => (await import("./price")).priceCommands,
  setting: async () => (await import("./setting")).settingCommands,
  notice: async () => (await import("./setting")).noticeCommands,
  incident: async () => (await import("./incident")).incidentCommands,
  voucher: async () => (await import("./voucher")).voucherCommands,
  money: async () => (await import("./money")).moneyCommands,
  invoice: async () => (await import("./invoice")).invoiceCommands,
  billing: async () => (await import("./invoice")).billingCommands,
  "auto-topup": async () => (await import("./auto-topup")).autoTopupCommands,
  package: async () => (await import("./package")).packageCommands,
  payment: async () => (await import("./payment")).paymentCommands,
  usage: async () => (await import("./usage")).usageCommands,
  request: async () => (await import("./request")).requestCommands,
  task: async () => (await import("./task")).taskCommands,
  ledger: async () => (await import("./ledger")).ledgerCommands,
  backup: async () => (await import("./backup")).backupCommands,
  database: async () => (await import("./database")).databaseCommands,
  secret: async () => (await import("./secret")).secretCommands,
  invite: async () => (await import("./invite")).inviteCommands,
  audit: async () => (await import("./audit")).auditCommands,
  node: async () => (await import("./node")).nodeCommands,
};
