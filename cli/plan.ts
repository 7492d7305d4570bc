import {
  cancelAccountPlan,
  type PlanMoment,
  pauseAccountPlan,
  resumeAccountPlan,
  setAccountPlan,
} from "@/lib/commands/account-plans";
import { changePlan, createPlan, retirePlan } from "@/lib/commands/plans";
import type { OperatorPlanView } from "@/lib/contract/operator-plans";
import { planPeriods } from "@/lib/contract/states";
import { findGroup } from "@/lib/queries/groups";
import { findPlan, listPlans, showAccountPlan } from "@/lib/queries/plans";
import { ACCOUNT, accountNamed } from "./account-option";
import { actor, type Command, type Flags, UsageError } from "./command";
import type { OpenInstallation } from "./open";
import { table } from "./table";

const view = ({
  points,
  group,
  rolloverPercent,
  isOffered,
  isRetired,
  ...plan
}: OperatorPlanView) => ({
  ...plan,
  points: Number(points),
  group: group?.name ?? null,
  rollover: rolloverPercent,
  offered: isOffered,
  retired: isRetired,
});

async function shown(installation: OpenInstallation, named: string) {
  const plan = view(await findPlan(installation, named));
  return { json: { plan }, text: table([plan]) };
}

async function shownOf(installation: OpenInstallation, accountId: string) {
  const { current, lots } = await showAccountPlan(installation, { accountId });
  const plan = current && {
    account: accountId,
    plan: current.plan.name,
    status: current.status,
    period_ends_at: current.periodEndsAt,
    next: current.endsWithPeriod ? null : (current.next?.name ?? current.plan.name),
  };
  const rows = lots.map(({ id, reason, given, left, held, endsAt }) => ({
    lot: id,
    reason,
    given: Number(given),
    left: Number(left),
    held: Number(held),
    ends_at: endsAt,
  }));
  const text = plan === null ? `${accountId} is on no plan.` : table([plan]);
  return { json: { plan, lots: rows }, text: rows.length > 0 ? `${text}\n${table(rows)}` : text };
}

const terms =
  "[--hours H] [--rollover PERCENT] [--group G|none] [--amount A --currency C|--free] [--note T|none] [--offered | --hidden]";
const options = {
  name: "string",
  points: "string",
  period: "string",
  hours: "string",
  rollover: "string",
  group: "string",
  amount: "string",
  currency: "string",
  free: "boolean",
  note: "string",
  offered: "boolean",
  hidden: "boolean",
} as const;

function periodOf(flags: Flags) {
  const named = flags.optional("period");
  if (named === null) return undefined;
  const found = planPeriods.find((each) => each === named);
  if (found === undefined)
    throw new UsageError(`--period ${named} must be one of ${planPeriods.join(", ")}`);
  return found;
}

async function termsOf(installation: OpenInstallation, flags: Flags) {
  const [group, note] = [flags.optional("group"), flags.optional("note")];
  const period = periodOf(flags);
  const isFree = flags.flag("free");
  return {
    points: flags.pointsNotNegative("points") ?? undefined,
    period,
    hours: flags.whole("hours") ?? (period === undefined || period === "hours" ? undefined : null),
    rolloverPercent: flags.whole("rollover"),
    groupId:
      group === null
        ? undefined
        : group === "none"
          ? null
          : (await findGroup(installation, group)).id,
    amount: isFree ? null : flags.whole("amount"),
    currency: isFree ? null : flags.optional("currency")?.toLowerCase(),
    note: note === null ? undefined : note === "none" ? null : note,
    isOffered: flags.flag("offered") ? true : flags.flag("hidden") ? false : undefined,
  };
}

const list: Command = {
  usage: "",
  options: {},
  async run(installation) {
    const plans = (await listPlans(installation)).map(view);
    return { json: { plans }, text: table(plans) };
  },
};

const create: Command = {
  usage: `--name N --points P --period ${planPeriods.join("|")} ${terms}   (a price in the currency's smallest unit)`,
  options,
  async run(installation, flags) {
    const { points, period, ...given } = await termsOf(installation, flags);
    if (points === undefined) throw new UsageError("--points is missing");
    if (period === undefined) throw new UsageError("--period is missing");
    const { id } = await createPlan(installation, actor, {
      name: flags.text("name"),
      points,
      period,
      hours: given.hours ?? null,
      rolloverPercent: given.rolloverPercent ?? 0,
      groupId: given.groupId ?? null,
      amount: given.amount ?? null,
      currency: given.currency ?? null,
      note: given.note ?? null,
      isOffered: given.isOffered ?? false,
    });
    return shown(installation, id);
  },
};

const change: Command = {
  usage: `--plan P [--name N] [--points P] [--period T] ${terms}`,
  options: { plan: "string", ...options },
  async run(installation, flags) {
    const { id } = await findPlan(installation, flags.text("plan"));
    const name = flags.optional("name") ?? undefined;
    const given = await termsOf(installation, flags);
    await changePlan(installation, actor, { id, name, ...given });
    return shown(installation, id);
  },
};

const retire: Command = {
  usage: "--plan P   (who is on it stays)",
  options: { plan: "string" },
  async run(installation, flags) {
    const { id } = await findPlan(installation, flags.text("plan"));
    await retirePlan(installation, actor, { id });
    return shown(installation, id);
  },
};

function whenOf(flags: Flags): PlanMoment {
  const named = flags.optional("when") ?? "period_end";
  if (named === "now" || named === "period_end") return named;
  throw new UsageError(`--when ${named} must be now or period_end`);
}

const show: Command = {
  usage: ACCOUNT,
  options: { account: "string" },
  run: async (installation, flags) =>
    shownOf(installation, await accountNamed(installation, flags)),
};

const set: Command = {
  usage: `--plan P [--when now|period_end] ${ACCOUNT}`,
  options: { account: "string", plan: "string", when: "string" },
  async run(installation, flags) {
    const accountId = await accountNamed(installation, flags);
    const { id: planId } = await findPlan(installation, flags.text("plan"));
    const wanted = { accountId, planId, when: whenOf(flags), isOwn: false };
    await setAccountPlan(installation, actor, wanted);
    return shownOf(installation, accountId);
  },
};

const cancel: Command = {
  usage: `[--when now|period_end] ${ACCOUNT}`,
  options: { account: "string", when: "string" },
  async run(installation, flags) {
    const accountId = await accountNamed(installation, flags);
    await cancelAccountPlan(installation, actor, { accountId, when: whenOf(flags) });
    return shownOf(installation, accountId);
  },
};

const byAccount = (run: typeof pauseAccountPlan, note: string): Command => ({
  usage: `${ACCOUNT}; ${note}`,
  options: { account: "string" },
  async run(installation, flags) {
    const accountId = await accountNamed(installation, flags);
    await run(installation, actor, { accountId });
    return shownOf(installation, accountId);
  },
});
const pause = byAccount(pauseAccountPlan, "no period follows");
const resume = byAccount(resumeAccountPlan, "a new period begins if the last one is over");

export const planCommands = { list, create, change, retire, show, set, cancel, pause, resume };
