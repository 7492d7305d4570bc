import type { PageEndpoints } from "@/lib/contract/page-endpoint";
import type { ProgramDeps, UseCases } from "@/lib/pages-api/use-case";
import type { AnyCommand } from "./command";

type Verbs = Readonly<Record<string, AnyCommand>>;

/** The commands that the rows of a noun make. */
const ofRows = async <Rows extends PageEndpoints>(
  noun: string,
  rows: Promise<Rows>,
  useCases: Promise<UseCases<Rows, ProgramDeps>>,
): Promise<Verbs> => (await import("./row-command")).commandsOf(noun, await rows, await useCases);

/** The commands of each noun, loaded on first use. A command without a verb has the empty verb. */
export const nouns: Readonly<Record<string, () => Promise<Verbs>>> = {
  account: async () => (await import("./account")).accountCommands,
  session: async () => (await import("./session")).sessionCommands,
  notification: async () => (await import("./notification")).notificationCommands,
  webhook: () =>
    ofRows(
      "webhook",
      import("@/lib/contract/webhooks").then(({ webhookEndpoints }) => webhookEndpoints),
      import("@/lib/pages-api/webhooks").then(({ webhookUseCases }) => webhookUseCases),
    ),
  member: async () => (await import("./member")).memberCommands,
  group: async () => (await import("./group")).groupCommands,
  key: async () => (await import("./key")).keyCommands,
  "management-key": async () => (await import("./management-key")).managementKeyCommands,
  "operator-key": async () => (await import("./operator-key")).operatorKeyCommands,
  channel: async () => (await import("./channel")).channelCommands,
  upstream: async () => (await import("./upstream")).upstreamCommands,
  model: async () => (await import("./model")).modelCommands,
  price: async () => (await import("./price")).priceCommands,
  setting: async () => (await import("./setting")).settingCommands,
  notice: async () => (await import("./setting")).noticeCommands,
  incident: () =>
    ofRows(
      "incident",
      import("@/lib/contract/operator-incidents").then(
        ({ incidentEndpoints }) => incidentEndpoints,
      ),
      import("@/lib/pages-api/operator-incidents").then(({ incidentUseCases }) => incidentUseCases),
    ),
  voucher: async () => (await import("./voucher")).voucherCommands,
  money: async () => (await import("./money")).moneyCommands,
  invoice: async () => (await import("./invoice")).invoiceCommands,
  billing: async () => (await import("./invoice")).billingCommands,
  "auto-topup": async () => (await import("./auto-topup")).autoTopupCommands,
  package: () =>
    ofRows(
      "package",
      import("@/lib/contract/operator-topup").then(({ topupEndpoints }) => topupEndpoints),
      import("@/lib/pages-api/operator-topup").then(({ topupUseCases }) => topupUseCases),
    ),
  plan: async () => (await import("./plan")).planCommands,
  payment: async () => (await import("./payment")).paymentCommands,
  usage: async () => (await import("./usage")).usageCommands,
  shadow: async () => (await import("./shadow")).shadowCommands,
  import: async () => (await import("./import")).importCommands,
  request: async () => (await import("./request")).requestCommands,
  task: async () => (await import("./task")).taskCommands,
  ledger: async () => (await import("./ledger")).ledgerCommands,
  archive: async () => (await import("./archive")).archiveCommands,
  backup: async () => (await import("./backup")).backupCommands,
  doctor: async () => (await import("./doctor")).doctorCommands,
  database: async () => (await import("./database")).databaseCommands,
  secret: async () => (await import("./secret")).secretCommands,
  invite: () =>
    ofRows(
      "invite",
      import("@/lib/contract/operator-invites").then(({ inviteEndpoints }) => inviteEndpoints),
      import("@/lib/pages-api/operator-invites").then(({ inviteUseCases }) => inviteUseCases),
    ),
  audit: async () => (await import("./audit")).auditCommands,
  node: async () => (await import("./node")).nodeCommands,
};
