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

const accounts = (noun: "account" | "session") =>
  ofRows(
    noun,
    import("@/lib/contract/operator-accounts").then((rows) => rows.accountProgramRows),
    import("@/lib/pages-api/operator-accounts").then((cases) => cases.accountProgramUseCases),
  );

const invoices = (noun: "invoice" | "billing") =>
  ofRows(
    noun,
    import("@/lib/contract/invoices").then((rows) => rows.invoiceProgramRows),
    import("@/lib/pages-api/invoices").then((cases) => cases.invoiceProgramUseCases),
  );

const requests = (noun: "request" | "task" | "node" | "ledger") =>
  ofRows(
    noun,
    import("@/lib/contract/operator-requests").then(({ requestEndpoints }) => requestEndpoints),
    import("@/lib/pages-api/operator-requests").then(({ requestUseCases }) => requestUseCases),
  );

const topup = (noun: "package" | "payment" | "voucher") =>
  ofRows(
    noun,
    import("@/lib/contract/operator-topup").then(({ topupEndpoints }) => topupEndpoints),
    import("@/lib/pages-api/operator-topup").then(({ topupUseCases }) => topupUseCases),
  );

/** The commands of each noun, loaded on first use. A command without a verb has the empty verb. */
export const nouns: Readonly<Record<string, () => Promise<Verbs>>> = {
  account: async () => ({
    ...(await accounts("account")),
    ...(await import("./account")).accountCommands,
  }),
  session: async () => ({
    ...(await accounts("session")),
    ...(await import("./session")).sessionCommands,
  }),
  notification: async () => (await import("./notification")).notificationCommands,
  webhook: () =>
    ofRows(
      "webhook",
      import("@/lib/contract/webhooks").then(({ webhookEndpoints }) => webhookEndpoints),
      import("@/lib/pages-api/webhooks").then(({ webhookUseCases }) => webhookUseCases),
    ),
  member: () =>
    ofRows(
      "member",
      import("@/lib/contract/members").then((rows) => rows.memberProgramRows),
      import("@/lib/pages-api/members").then((cases) => cases.memberProgramUseCases),
    ),
  group: () =>
    ofRows(
      "group",
      import("@/lib/contract/operator-groups").then(({ groupEndpoints }) => groupEndpoints),
      import("@/lib/pages-api/operator-groups").then(({ groupUseCases }) => groupUseCases),
    ),
  key: async () => (await import("./key")).keyCommands,
  "management-key": () =>
    ofRows(
      "management-key",
      import("@/lib/contract/management-keys").then((rows) => rows.managementKeyEndpoints),
      import("@/lib/pages-api/management-keys").then((cases) => cases.managementKeyUseCases),
    ),
  "operator-key": async () => ({
    ...(await ofRows(
      "operator-key",
      import("@/lib/contract/operator-keys").then((rows) => rows.operatorKeyEndpoints),
      import("@/lib/pages-api/operator-keys").then((cases) => cases.operatorKeyUseCases),
    )),
    ...(await import("./operator-key")).operatorKeyCommands,
  }),
  channel: async () => (await import("./channel")).channelCommands,
  upstream: async () => ({
    ...(await ofRows(
      "upstream",
      import("@/lib/contract/operator-upstream").then((rows) => rows.upstreamEndpoints),
      import("@/lib/pages-api/operator-upstream").then((cases) => cases.upstreamUseCases),
    )),
    ...(await import("./upstream")).upstreamCommands,
  }),
  model: async () => ({
    ...(await ofRows(
      "model",
      import("@/lib/contract/operator-models").then((rows) => rows.modelProgramRows),
      import("@/lib/pages-api/operator-models").then((cases) => cases.modelProgramUseCases),
    )),
    ...(await import("./model")).modelCommands,
  }),
  price: async () => (await import("./price")).priceCommands,
  setting: async () => (await import("./setting")).settingCommands,
  notice: () =>
    ofRows(
      "notice",
      import("@/lib/contract/operator-settings").then(({ settingEndpoints }) => settingEndpoints),
      import("@/lib/pages-api/operator-settings").then(({ settingUseCases }) => settingUseCases),
    ),
  incident: () =>
    ofRows(
      "incident",
      import("@/lib/contract/operator-incidents").then(
        ({ incidentEndpoints }) => incidentEndpoints,
      ),
      import("@/lib/pages-api/operator-incidents").then(({ incidentUseCases }) => incidentUseCases),
    ),
  voucher: async () => ({
    ...(await topup("voucher")),
    ...(await import("./voucher")).voucherCommands,
  }),
  money: async () => (await import("./money")).moneyCommands,
  invoice: async () => ({
    ...(await invoices("invoice")),
    ...(await ofRows(
      "invoice",
      import("@/lib/contract/operator-invoices").then((rows) => rows.operatorInvoiceProgramRows),
      import("@/lib/pages-api/invoices").then((cases) => cases.operatorInvoiceProgramUseCases),
    )),
    ...(await import("./invoice")).invoiceCommands,
  }),
  billing: async () => ({
    ...(await invoices("billing")),
    ...(await import("./invoice")).billingCommands,
  }),
  "auto-topup": async () => ({
    ...(await ofRows(
      "auto-topup",
      import("@/lib/contract/auto-topup").then(({ autoTopupEndpoints }) => autoTopupEndpoints),
      import("@/lib/pages-api/auto-topup").then(({ autoTopupUseCases }) => autoTopupUseCases),
    )),
    ...(await import("./auto-topup")).autoTopupCommands,
  }),
  package: () => topup("package"),
  plan: async () => ({
    ...(await ofRows(
      "plan",
      import("@/lib/contract/operator-plans").then((rows) => rows.operatorPlanEndpoints),
      import("@/lib/pages-api/plans").then(({ operatorPlanUseCases }) => operatorPlanUseCases),
    )),
    ...(await ofRows(
      "plan",
      import("@/lib/contract/plans").then(({ planPaymentEndpoints }) => planPaymentEndpoints),
      import("@/lib/pages-api/plans").then(({ planPaymentUseCases }) => planPaymentUseCases),
    )),
  }),
  tag: () =>
    ofRows(
      "tag",
      import("@/lib/contract/tags").then(({ tagEndpoints }) => tagEndpoints),
      import("@/lib/pages-api/tags").then(({ tagUseCases }) => tagUseCases),
    ),
  payment: async () => ({
    ...(await topup("payment")),
    ...(await import("./payment")).paymentCommands,
  }),
  usage: async () => (await import("./usage")).usageCommands,
  shadow: async () => (await import("./shadow")).shadowCommands,
  import: async () => (await import("./import")).importCommands,
  request: async () => ({
    ...(await requests("request")),
    ...(await ofRows(
      "request",
      import("@/lib/contract/content").then(({ contentEndpoints }) => contentEndpoints),
      import("@/lib/pages-api/content").then(({ contentUseCases }) => contentUseCases),
    )),
  }),
  task: async () => ({
    ...(await requests("task")),
    ...(await ofRows(
      "task",
      import("@/lib/contract/tasks").then(({ taskEndpoints }) => taskEndpoints),
      import("@/lib/pages-api/tasks").then(({ taskUseCases }) => taskUseCases),
    )),
    ...(await import("./task")).taskCommands,
  }),
  ledger: async () => ({
    ...(await requests("ledger")),
    ...(await import("./ledger")).ledgerCommands,
  }),
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
  node: async () => ({
    ...(await requests("node")),
    ...(await import("./node")).nodeCommands,
  }),
  completion: async () => (await import("./completion")).completionCommands(nouns),
};
