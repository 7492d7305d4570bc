/** What happens to the named accounts, beside what everyone does. */
import { pauseSuddenSpenders } from "@/lib/accounts/spend-watch";
import { bySignIn, countAttempt } from "@/lib/accounts/throttle";
import { changeAccountGroup } from "@/lib/commands/account-group";
import { setAccountPlan } from "@/lib/commands/account-plans";
import {
  changeAccount,
  changeKeyDefault,
  changeMultiplier,
  resumeAccount,
  suspendAccount,
} from "@/lib/commands/accounts";
import { createGroup } from "@/lib/commands/groups";
import { createPlan } from "@/lib/commands/plans";
import { CUSTOMER } from "../people";
import { points, type Writing } from "../writing";
import { addChannels } from "./channels";
import { addMoney } from "./money";
import { addPeople } from "./people";
import { addSite } from "./site";

const DANIEL = "daniel@harborware.example";
const AVA = "ava@mitchell-brothers.example";
const JONAS = "jonas@weber-tools.example";
const STUDIOS = [CUSTOMER, "yuki@kitsune-games.example", "chen.wei@qinghe-media.example"];

function addTerms(writing: Writing): void {
  const { demo } = writing;
  const multiplier = async (
    email: string,
    model: string | null,
    multiplierPpm: number,
    reason: string,
  ) => {
    // What was requested before is charged as it was then.
    await writing.writeRequests();
    const { accountId } = writing.person(email);
    const change = { accountId, model, multiplierPpm, reason };
    await changeMultiplier(demo, writing.operator, change);
  };
  writing.at(79, 10, () => multiplier(DANIEL, null, 900_000, "Yearly contract"));
  writing.at(60, 15, () => multiplier(AVA, null, 1_200_000, "No contract"));
  writing.at(45, 13, () => multiplier(CUSTOMER, "Super-Relay2.0", 850_000, "Launch partner"));
  writing.at(55, 11, async () => {
    await writing.writeRequests();
    const { id: groupId } = await createGroup(demo, writing.operator, {
      name: "Studios",
      multiplierPpm: 950_000,
      models: [],
      modelMultipliers: [{ model: "Super-Relay2.5", multiplierPpm: 900_000 }],
    });
    const reason = "Makes videos every week";
    for (const email of STUDIOS) {
      const { accountId } = writing.person(email);
      await changeAccountGroup(demo, writing.operator, { accountId, groupId, reason });
    }
  });
}

function addPlans(writing: Writing): void {
  const { demo } = writing;
  writing.ago(2, async () => {
    const plan = {
      groupId: null,
      hours: null,
      rolloverPercent: 50,
      amount: null,
      currency: null,
      isOffered: true,
    };
    const { id: planId } = await createPlan(demo, writing.operator, {
      ...plan,
      name: "Studio",
      note: "For those who make videos every week",
      points: points(2000),
      period: "month",
    });
    await createPlan(demo, writing.operator, {
      ...plan,
      name: "Trial",
      note: null,
      points: points(20),
      period: "day",
      rolloverPercent: 0,
    });
    await createPlan(demo, writing.operator, {
      ...plan,
      name: "Film",
      note: "Paid by card, each month or for a year at once",
      points: points(4000),
      period: "month",
      amount: 2900,
      currency: "eur",
      advancePeriods: 12,
      advanceAmount: 29_000,
    });
    const { accountId } = writing.person(CUSTOMER);
    const wanted = { accountId, planId, when: "now", isOwn: false } as const;
    await setAccountPlan(demo, writing.operator, wanted);
  });
}

function addAccountChanges(writing: Writing): void {
  const { demo } = writing;
  const idOf = (email: string) => ({ accountId: writing.person(email).accountId });
  const suspend = (email: string, reason: string) =>
    suspendAccount(demo, writing.secondOperator, { ...idOf(email), reason });
  writing.at(74, 9, () =>
    changeKeyDefault(demo, writing.operator, { ...idOf(DANIEL), requestsPerMinute: 600 }),
  );
  writing.at(22, 16, () => suspend(JONAS, "Unusual sign-ins, waiting for an answer"));
  writing.at(20, 9, () => resumeAccount(demo, writing.secondOperator, idOf(JONAS)));
  writing.at(27, 10, () => suspend(AVA, "Card payment disputed"));
  writing.at(52, 12, () =>
    changeAccount(demo, writing.person(CUSTOMER).userId, {
      ...idOf(CUSTOMER),
      lowBalanceNotice: points(1000),
    }),
  );
  writing.ago(31, async () => {
    const subject = bySignIn("admin@relay.example");
    for (let tries = 0; tries <= subject.failuresMax; tries++)
      await countAttempt(demo.pool, [subject]).catch(() => {});
  });
  // The product looks at watched keys every few seconds.
  for (const hoursAgo of [45, 24, 12, 10.2, 9.1, 8.8, 8.6, 8.4])
    writing.ago(hoursAgo, async () => {
      await writing.writeRequests();
      await pauseSuddenSpenders(demo.pool);
    });
}

/** Adds everything that the people and the operators of the demo do. */
export function addStories(writing: Writing): void {
  const adds = [addPeople, addTerms, addPlans, addAccountChanges, addChannels, addMoney, addSite];
  for (const add of adds) add(writing);
}
