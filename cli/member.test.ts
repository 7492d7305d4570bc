import { expect, test } from "vitest";
import { acceptInvitation } from "@/lib/commands/invitations";
import { connectDatabase } from "@/lib/db/client";
import { openTestCommands } from "@/testing/cli/commands";
import { opened } from "@/testing/unit/opened";

const commands = await opened(openTestCommands());
const [owner, member] = ["ada@example.com", "bob@example.com"];

for (const email of [owner, member])
  await commands.json("account create --email", email, "--password", "correct horse battery");
const database = await opened(connectDatabase(commands.environment.DATABASE_URL));

test("an operator invites, changes a role, hands an account over and removes by command line", async () => {
  const ofOwner = ["--account", owner] as const;
  const invite = ["member", "invite", ...ofOwner, "--role"] as const;
  expect((await commands.relay(...invite, "owner")).err).toMatch(/--role is "owner"/);
  const { link } = await commands.json(...invite, "developer");
  const token = new URL(link).searchParams.get("token") ?? "";
  const { id } = await database.user.findUniqueOrThrow({ where: { email: member } });
  const { accountId } = await acceptInvitation({ database }, id, { token });
  const ofMember = ["--account", accountId, "--email", member] as const;
  await commands.json("member role", ...ofMember, "--role", "viewer");
  const roles = async () => {
    const { members } = await commands.json("member list --account", accountId);
    return members.map(({ email, role }: Record<string, string>) => [email, role]);
  };
  expect(await roles()).toEqual([
    [owner, "owner"],
    [member, "viewer"],
  ]);
  const budget = ["member", "budget", ...ofMember] as const;
  const shown = async () => {
    const { members } = await commands.json("member list --account", accountId);
    return members.find(({ email }: Record<string, string>) => email === member);
  };
  await commands.json(...budget, "--day-budget-points", "5", "--budget-zone", "Asia/Shanghai");
  expect(await shown()).toMatchObject({
    budget_zone: "Asia/Shanghai",
    recurring_budgets: [{ period: "day", budget_points: 5, remaining_points: 5 }],
  });
  await commands.json(...budget, "--day-budget-points", "none");
  expect(await shown()).toMatchObject({ budget_zone: null, recurring_budgets: [] });
  await commands.json("member hand-over", ...ofMember);
  expect(await roles()).toEqual([
    [owner, "admin"],
    [member, "owner"],
  ]);
  await commands.json("member remove --account", accountId, "--email", owner);
  expect(await roles()).toEqual([[member, "owner"]]);
});
