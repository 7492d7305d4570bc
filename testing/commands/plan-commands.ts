/** The commands about plans, each with the state it needs. */
import * as accountPlans from "@/lib/commands/account-plans";
import { payPlanByCard } from "@/lib/commands/plan-payments";
import { changePlan, createPlan, retirePlan } from "@/lib/commands/plans";
import type { SiteProcess } from "@/testing/pages-api/site-process";
import { actor, type BrokenOffCommand, commandOn, newUser, nextNumber, prepared } from "./seed";
import { saveTestCard } from "./topup-commands";

const planInput = () => ({
  name: `Plan ${nextNumber()}`,
  note: null,
  groupId: null,
  points: 100_000_000n,
  period: "month" as const,
  hours: null,
  rolloverPercent: 50,
  amount: null,
  currency: null,
  isOffered: true,
});
const newPlan = async ({ deps }: SiteProcess) => (await createPlan(deps, actor, planInput())).id;

async function onPlan(site: SiteProcess) {
  const { accountId } = await newUser(site);
  const wanted = { accountId, planId: await newPlan(site), when: "now", isOwn: false } as const;
  await accountPlans.setAccountPlan(site.deps, actor, wanted);
  return { accountId };
}

export const planCommands: readonly BrokenOffCommand[] = [
  {
    action: "plan.create",
    prepare: async () => (deps) => createPlan(deps, actor, planInput()),
  },
  commandOn("plan.change", newPlan, (deps, id) => changePlan(deps, actor, { id, points: 5n })),
  commandOn("plan.retire", newPlan, (deps, id) => retirePlan(deps, actor, { id })),
  prepared("account.plan", async (site) => {
    const { accountId } = await newUser(site);
    const wanted = { accountId, planId: await newPlan(site), when: "now", isOwn: false } as const;
    return (deps) => accountPlans.setAccountPlan(deps, actor, wanted);
  }),
  prepared(
    "account.plan",
    async (site) => {
      const { accountId } = await onPlan(site);
      const wanted = { accountId, planId: await newPlan(site), when: "now", isOwn: false } as const;
      return (deps) => accountPlans.setAccountPlan(deps, actor, wanted);
    },
    "another one, now",
  ),
  prepared(
    "account.plan",
    async (site) => {
      const { accountId } = await onPlan(site);
      const price = { amount: 900, currency: "eur" };
      const { id: planId } = await createPlan(site.deps, actor, { ...planInput(), ...price });
      await saveTestCard(site, accountId);
      return (deps) => payPlanByCard(deps, actor, { accountId, planId });
    },
    "paid by the saved card",
  ),
  commandOn(
    "account.plan",
    onPlan,
    (deps, own) => accountPlans.cancelAccountPlan(deps, actor, { ...own, when: "now" }),
    { what: "its end" },
  ),
  commandOn(
    "account.plan",
    onPlan,
    (deps, own) => accountPlans.pauseAccountPlan(deps, actor, own),
    { what: "its pause" },
  ),
];
