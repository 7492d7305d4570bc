/** Videos and images of a month whose requests are only in files, at their pages. */
import type { Page } from "@playwright/test";
import pg from "pg";
import { type Month, monthsToArchive } from "@/lib/ledger/archive/archive-register";
import { sealLedger } from "@/lib/ledger/audit/seal";
import { type MonthsResults, makeResults } from "@/testing/ledger/month-with-results";
import { daysSinceMonth, giveMonthsPartitions } from "@/testing/ledger/own-partitions";
import { seedHistory } from "@/testing/ledger/sealed-history";
import { assertFine, sizes } from "./fine";
import { test as base, beginSession, expect, newEmail, password, relayIn } from "./product";
import { type Served, serveInstance } from "./serve-product";

const accountId = "acct_history_1";
const email = newEmail();

/** The account of the history gets a user; its results of one month outlive their requests. */
async function archiveMonth({ variables }: Served, owner: pg.Client) {
  const relay = (...words: string[]) => relayIn(variables, ...words);
  await giveMonthsPartitions(owner, 6);
  const plan = { requests: 4000, days: daysSinceMonth(6), accounts: 2 };
  await seedHistory(owner, variables.DATABASE_URL ?? "", plan);
  await relay("account", "create", "--email", email, "--password", password);
  const { rows } = await owner.query<{ id: string }>(
    `update "user" set account_id = $1 where email = $2 returning id`,
    [accountId, email],
  );
  const userId = rows[0]?.id ?? "";
  const [month] = (await monthsToArchive(owner)).slice(1) as [Month];
  const made = await makeResults(owner, { month, accountId, userId });
  await sealLedger(owner);
  await relay("archive", "run", "--month", month.name);
  await relay("archive", "drop", "--month", month.name);
  return made;
}

const test = base.extend<object, { scene: { served: Served; made: MonthsResults } }>({
  scene: [
    // biome-ignore lint/correctness/noEmptyPattern: the test runner reads the pattern
    async ({}, use) => {
      const served = await serveInstance("archived");
      const owner = new pg.Client({ connectionString: served.variables.DATABASE_OWNER_URL });
      await owner.connect();
      const made = await archiveMonth(served, owner).finally(() => owner.end());
      await use({ served, made });
      await served.stop();
    },
    { scope: "worker", timeout: 300_000 },
  ],
  baseURL: async ({ scene }, use) => use(scene.served.address),
});

const cards = (page: Page) => page.getByRole("article", { name: /^(Video|Image) by/ });

test("results of an archived month are listed, and what each cost is one step away", async ({
  page,
  scene: { made },
}) => {
  await beginSession(page, email);
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    await page.goto("/tasks");
    await expect(cards(page)).toHaveCount(5);
    await expect(page.getByText("The request is archived.")).toHaveCount(5);
    await expect(page.getByText("Why it failed is in its request.")).toHaveCount(1);
    await assertFine(page, `tasks of an archived month on a ${size}`);
    await page.goto(`/tasks/${made.video.id}`);
    await expect(page.getByText("The request is archived.")).toBeVisible();
    await assertFine(page, `an archived video on a ${size}`);
    await page.getByRole("link", { name: "Show what it cost" }).click();
    const shown = page.getByRole("main");
    await expect(shown.getByText("How it was counted")).toBeVisible();
    await expect(shown).toContainText(made.video.operationId);
    await assertFine(page, `an archived request on a ${size}`);
  }
});
