/** The colleagues who work in the customer's account, and who ordered in the playground. */
import { signUp } from "@/lib/accounts/sign-up";
import { createApiKey } from "@/lib/commands/api-keys";
import { acceptInvitation, inviteMember } from "@/lib/commands/invitations";
import { changeMemberBudget } from "@/lib/commands/member-budget";
import { nameAccount } from "@/lib/commands/members";
import { MICROPOINTS_PER_POINT } from "@/lib/points";
import type { OpenDemo } from "../open-demo";
import { CUSTOMER, DEMO_PASSWORD } from "../people";
import { momentOf } from "../rhythm";
import type { Writing } from "../writing";

const colleagues = [
  { name: "Ines Duarte", email: "ines@lumen-films.example", role: "developer", daysAgo: 41 },
  { name: "Theo Brandt", email: "theo@lumen-films.example", role: "billing", daysAgo: 33 },
] as const;

export function addTeam(writing: Writing): void {
  const { demo, given, timeline } = writing;
  const owner = () => writing.person(CUSTOMER);
  timeline.add(momentOf(given.end, 42, 9), () =>
    nameAccount(demo, owner().userId, { accountId: owner().accountId, name: "Lumen Films" }),
  );
  for (const [index, { name, email, role, daysAgo }] of colleagues.entries())
    timeline.add(momentOf(given.end, daysAgo, 10), async () => {
      const address = `198.51.100.${90 + index}`;
      const { userId } = await signUp(demo, { email, password: DEMO_PASSWORD, name, address });
      const { accountId, userId: acting } = owner();
      const wanted = { accountId, role, email: null, acting };
      const { token } = await inviteMember(demo, acting, wanted);
      await acceptInvitation(demo, userId, { token });
      if (role === "developer")
        await createApiKey(demo, userId, { accountId, name: "storyboards", budget: null });
    });
  timeline.add(given.end - 2000, async () => {
    const { accountId, userId: acting } = owner();
    const { id: userId } = await demo.database.user.findUniqueOrThrow({
      where: { email: colleagues[0].email },
    });
    const budget = { budgetWeek: 2_000n * MICROPOINTS_PER_POINT, budgetZone: "Europe/Berlin" };
    await changeMemberBudget(demo, acting, { accountId, userId, acting, ...budget });
  });
  timeline.add(given.end - 1000, () =>
    inviteMember(demo, owner().userId, {
      accountId: owner().accountId,
      role: "viewer",
      email: null,
      acting: owner().userId,
    }),
  );
}

/** The product notes each before its hold; the demo's history notes all of them at its end. */
export async function notePlayground({ pool }: Pick<OpenDemo, "pool">): Promise<void> {
  await pool.query(
    `insert into playground_operation (operation_id, account_id, user_id, created_at)
       select o.id, o.account_id, m.user_id, o.created_at from operation o
         join account_member m on m.account_id = o.account_id and m.role = 'owner' where o.source = 'playground'
       on conflict do nothing`,
  );
}
