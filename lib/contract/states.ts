/**
 * The closed lists of words that several parts of the product use. Types and schemas are derived
 * from them, and a test compares the database's checks with them. This file imports nothing, since
 * the browser and the ledger import it.
 */

/** What models generate, in the order in which pages list it. */
export const families = ["text", "video", "image"] as const;
export type Family = (typeof families)[number];

/**
 * A draft is known to operators only. A model that is retiring is served until its date, and one
 * that has retired no longer.
 */
export const modelStates = ["draft", "offered", "retiring", "retired"] as const;

/** Who answers the requests of a model now: a channel, the sandbox, or nobody. */
export type ServedBy = "channel" | "sandbox" | "nobody";

/** Families whose results are stored for a day and listed as tasks. */
export const resultFamilies = ["video", "image"] as const satisfies readonly Family[];
export type ResultFamily = (typeof resultFamilies)[number];

/** The states of a video task, and of an image where both are listed. */
export const taskStatuses = [
  "queued",
  "running",
  "succeeded",
  "failed",
  "cancelled",
  "expired",
] as const;
export type TaskStatus = (typeof taskStatuses)[number];
export const openTaskStatuses = ["queued", "running"] as const satisfies readonly TaskStatus[];
export type OpenTaskStatus = (typeof openTaskStatuses)[number];
export const isTaskOpen = (status: TaskStatus): status is OpenTaskStatus =>
  status === "queued" || status === "running";

/** The purpose of an image in a video order. */
export const imageRoles = ["first_frame", "last_frame", "reference_image"] as const;
export type ImageRole = (typeof imageRoles)[number];
/** The purpose of any file in an order. */
export const mediaRoles = [...imageRoles, "reference_video", "reference_audio"] as const;
export type MediaRole = (typeof mediaRoles)[number];

/** Where a request came from: an API key, or a signed-in page. */
export const requestSources = ["api", "playground"] as const;
export type RequestSource = (typeof requestSources)[number];

/** The APIs of other services that a request may speak instead of its family's own. */
export const dialects = ["messages", "responses", "videos", "mcp"] as const;
export type Dialect = (typeof dialects)[number];

/** The states of a video as the Videos API has them. */
export const videoJobStatuses = ["queued", "in_progress", "completed", "failed"] as const;
export type VideoJobStatus = (typeof videoJobStatuses)[number];

/** How a hold ended. */
export const holdOutcomes = ["settled", "released"] as const;
export type HoldOutcome = (typeof holdOutcomes)[number];
export const holdStates = [...holdOutcomes, "held"] as const;
export type HoldState = (typeof holdStates)[number];

/** How long a hold has been open. */
export const holdAges = ["minute", "tenMinutes", "hour", "day", "older"] as const;
export type HoldAge = (typeof holdAges)[number];

/** The kinds of ledger entries: changes of a balance other than requests. */
export const creditKinds = [
  "topup",
  "voucher",
  "grant",
  "plan",
  "referral",
  "refund",
  "clawback",
  "expiry",
  "adjust_up",
  "adjust_down",
] as const;
export type CreditKind = (typeof creditKinds)[number];
/** Credits that take points away. */
export const isTakingKind = (kind: string): boolean =>
  kind === "clawback" || kind === "expiry" || kind === "adjust_down";
/** Lines of an account's history. */
export const entryKinds = ["request", ...creditKinds] as const;

export const planPeriods = ["day", "week", "month", "hours"] as const;
export type PlanPeriod = (typeof planPeriods)[number];

export const accountPlanStates = ["active", "paused", "ended"] as const;
export type AccountPlanState = (typeof accountPlanStates)[number];

/** What became of an account that came by a link, once its first top-up was paid. */
export const referralOutcomes = ["rewarded", "refunded", "capped", "off", "same_person"] as const;

/** The causes of an operator's loss for upstream work. */
export const lossCauses = [
  "usage_missing",
  "usage_over_hold",
  "crash_unknown",
  "late_success",
  "orphan_upstream",
  "clawback_short",
] as const;
export type LossCause = (typeof lossCauses)[number];

export const usageGroups = ["day", "model", "key", "member"] as const;
export type UsageGrouping = (typeof usageGroups)[number];

/** What the pages' sums of usage are grouped by; `tag`: by the values of one. */
export const summaryGroups = [...usageGroups, "tag"] as const;
export type SummaryGrouping = (typeof summaryGroups)[number];

/** What the pages' charts of usage are divided by. */
export const chartGroups = ["model", "family", "key", "member", "tag"] as const;
export type ChartGrouping = (typeof chartGroups)[number];
/** Which median times a chart of usage has. */
export const chartTimes = ["yes", "no", "latency", "firstToken"] as const;
export type ChartTimes = (typeof chartTimes)[number];

/** Whom or what a request failed by, from the release reasons of the ledger. */
export const failureCauses = ["upstream", "timeout", "review", "client", "server"] as const;
export type FailureCause = (typeof failureCauses)[number];

/** Of an upstream, for what is in the request: its client can change it. */
export const refusalReasons = [
  "invalid_value",
  "unsupported_value",
  "context_length_exceeded",
  "max_tokens_too_large",
  "body_too_large",
  "invalid_image",
  "invalid_tool_schema",
  "invalid_history",
] as const;
export type RefusalReason = (typeof refusalReasons)[number];
/** The release reasons of each cause; `server` has all others. */
export const causeReasons = {
  upstream: [
    "upstream_failed",
    "upstream_bad_response",
    "upstream_concurrency_exceeded",
    "no_channel_available",
    "usage_missing",
    "result_lost",
  ],
  timeout: ["upstream_timeout", "task_expired"],
  review: ["content_rejected", "audio_review_failed"],
  client: ["client_gone", "task_cancelled", "api_key_paused", ...refusalReasons],
} as const satisfies Partial<Record<FailureCause, readonly string[]>>;
/** Reasons that are the request's own, or its client's: they do not count against a model. */
export const ownReasons: readonly string[] = [...causeReasons.review, ...causeReasons.client];

/** The times that the operators' charts show. */
export const trendRanges = ["day", "week", "month"] as const;
export type TrendRange = (typeof trendRanges)[number];

export const accountStatuses = ["active", "suspended", "closed"] as const;
export const apiKeyStatuses = ["active", "paused", "revoked", "expired"] as const;

/** How often a key's budget may renew. */
export const budgetPeriods = ["day", "week", "month"] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];

/** What a member may do in an account: see `member-roles.ts`. An account has one owner. */
export const memberRoles = ["owner", "admin", "developer", "viewer", "billing"] as const;
export type MemberRole = (typeof memberRoles)[number];

/** What a management key may do. None of them generates. */
export const managementScopes = [
  "keys:read",
  "keys:write",
  "members:read",
  "members:write",
  "points:read",
  "points:write",
  "usage:read",
  "account:write",
  "webhooks:read",
  "webhooks:write",
] as const;
export type ManagementScope = (typeof managementScopes)[number];

/**
 * What an operator key may do. None of them generates, makes a key of its kind, or makes a user an
 * operator.
 */
export const operatorScopes = [
  "accounts:read",
  "accounts:write",
  "points:write",
  "usage:read",
  "money:read",
  "operations:write",
  "channels:read",
  "channels:write",
  "prices:read",
  "prices:write",
  "models:read",
  "models:write",
  "settings:read",
  "settings:write",
  "access:write",
  "notices:write",
  "audit:read",
] as const;
export type OperatorScope = (typeof operatorScopes)[number];

export const channelProtocols = ["openai", "anthropic", "ark", "relay"] as const;
export type ChannelProtocol = (typeof channelProtocols)[number];
/** What each protocol can carry. */
export const protocolFamilies: Readonly<Record<ChannelProtocol, readonly Family[]>> = {
  openai: families,
  anthropic: ["text"],
  ark: families,
  relay: families,
};
export const channelStates = ["active", "draining", "disabled"] as const;
export type ChannelState = (typeof channelStates)[number];

export const noticeLevels = ["info", "warning"] as const;
export type NoticeLevel = (typeof noticeLevels)[number];

/** How an incident stands. */
export const incidentStates = ["investigating", "identified", "monitoring", "resolved"] as const;
export type IncidentState = (typeof incidentStates)[number];

/** The notifications that only operators get. */
export const operatorKinds = [
  "channel_down",
  "channel_back",
  "credential_refused",
  "upstream_balance",
  "upstream_low",
  "upstream_refilled",
  "audit_failed",
  "spool_used",
] as const;
/** What people are told of. */
export const notificationKinds = [
  "balance_low",
  "key_budget",
  "member_budget",
  "own_budget",
  "tag_budget",
  "key_paused",
  "key_expiring",
  "points_ending",
  "payment_paid",
  "payment_failed",
  "topup_paused",
  "plan_unpaid",
  "task_finished",
  "device_new",
  "price_change",
  "webhook_paused",
  ...operatorKinds,
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** How a mail or a webhook's delivery stands. */
export const sendingStates = ["waiting", "sent", "given_up"] as const;

export const voucherStates = ["open", "redeemed", "cancelled", "expired"] as const;

export const signUpModes = ["open", "invite", "closed"] as const;

/** Who must have a second factor. `auto`: operators, where the address is public and https. */
export const secondFactorRules = ["auto", "nobody", "operators", "everyone"] as const;

export const statusPageRules = ["operators", "everyone"] as const;

/** Why an account has no welcome points, or not yet. */
export const welcomeWithheldReasons = ["address", "domain", "mailbox", "unverified"] as const;
/** The filters of an account's history. */
export const historyKinds = ["all", "requests", "credits"] as const;
export type HistoryKind = (typeof historyKinds)[number];
export const inviteStatuses = ["open", "used", "revoked", "expired"] as const;
