import { expect, test } from "vitest";
import { seedMembers } from "@/testing/relay/members";
import { openTestRelay } from "@/testing/relay/test-relay";
import { opened } from "@/testing/unit/opened";
import { readSessionPrincipal } from "./session-principal";

const { pool, accountId, ...relay } = await opened(openTestRelay({ channels: [] }));

test("each person of an account has a rate of the own in the playground, and the same in every session", async () => {
  await seedMembers({ pool, accountId });
  const subjects = await Promise.all(
    ["user_owner", "user_joined", "user_joined"].map(
      async (userId) => (await readSessionPrincipal(pool, { accountId, userId })).rateSubject,
    ),
  );
  expect(subjects[1]).toBe(subjects[2]);
  expect(new Set(subjects).size).toBe(2);
  expect(relay.setting.principal.rateSubject).not.toContain("playground");
});
