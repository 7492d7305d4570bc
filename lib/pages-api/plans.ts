import * as accountPlans from "../commands/account-plans";
import * as planPayments from "../commands/plan-payments";
import * as plans from "../commands/plans";
import type { operatorPlanEndpoints } from "../contract/operator-plans";
import type { planEndpoints, planPaymentEndpoints } from "../contract/plans";
import { optionalPoints, requestedPoints } from "../money/requested-points";
import { hasSavedCard, listOfferedPlans, listPlans, showAccountPlan } from "../queries/plans";
import { stripeOf } from "../topup/stripe";
import { requireStripe } from "./require-stripe";
import type { ProgramDeps, UseCases } from "./use-case";

async function ownPlan(deps: Pick<ProgramDeps, "pool" | "settings">, accountId: string) {
  const [shown, offered, hasCard] = await Promise.all([
    showAccountPlan(deps, { accountId }),
    listOfferedPlans(deps),
    hasSavedCard(deps, accountId),
  ]);
  return { ...shown, offered, isSold: stripeOf(deps.settings) !== null, hasCard };
}

export const planUseCases: UseCases<typeof planEndpoints> = {
  showPlan: ({ deps, user }) => ownPlan(deps, user.accountId),
  async choosePlan({ deps, body, user: { userId, accountId } }) {
    const wanted = { accountId, planId: body.planId, when: "period_end", isOwn: true } as const;
    await accountPlans.setAccountPlan(deps, userId, wanted);
    return ownPlan(deps, accountId);
  },
  async cancelPlan({ deps, user: { userId, accountId } }) {
    await accountPlans.cancelAccountPlan(deps, userId, { accountId, when: "period_end" });
    return ownPlan(deps, accountId);
  },
};

export const planPaymentUseCases: UseCases<typeof planPaymentEndpoints, ProgramDeps> = {
  async buyPlan({ deps, body, user: { accountId, userId } }) {
    const order = { ...body, accountId, returnUrl: `${deps.settings.publicUrl}/points` };
    return planPayments.startPayingPlan(deps, requireStripe(deps), userId, order);
  },
  async payPlanByCard({ deps, body, user: { accountId, userId } }) {
    requireStripe(deps);
    await planPayments.payPlanByCard(deps, userId, { ...body, accountId });
    return ownPlan(deps, accountId);
  },
};

export const operatorPlanUseCases: UseCases<typeof operatorPlanEndpoints, ProgramDeps> = {
  listPlans: async ({ deps }) => ({ plans: await listPlans(deps) }),
  async createPlan({ deps, body, user }) {
    const points = requestedPoints("points", body.points);
    await plans.createPlan(deps, user.userId, { ...body, points });
    return { plans: await listPlans(deps) };
  },
  async changePlan({ deps, body, id, user }) {
    const points = optionalPoints("points", body.points) ?? undefined;
    await plans.changePlan(deps, user.userId, { ...body, points, id });
    return { plans: await listPlans(deps) };
  },
  async retirePlan({ deps, id, user }) {
    await plans.retirePlan(deps, user.userId, { id });
    return { plans: await listPlans(deps) };
  },
  showAccountPlan: ({ deps, id }) => showAccountPlan(deps, { accountId: id }),
  async setAccountPlan({ deps, body, id, user }) {
    const wanted = { ...body, accountId: id, isOwn: false };
    await accountPlans.setAccountPlan(deps, user.userId, wanted);
    return showAccountPlan(deps, { accountId: id });
  },
  async cancelAccountPlan({ deps, body, id, user }) {
    await accountPlans.cancelAccountPlan(deps, user.userId, { ...body, accountId: id });
    return showAccountPlan(deps, { accountId: id });
  },
  async pauseAccountPlan({ deps, id, user }) {
    await accountPlans.pauseAccountPlan(deps, user.userId, { accountId: id });
    return showAccountPlan(deps, { accountId: id });
  },
  async resumeAccountPlan({ deps, id, user }) {
    await accountPlans.resumeAccountPlan(deps, user.userId, { accountId: id });
    return showAccountPlan(deps, { accountId: id });
  },
};
