import type { Page } from "@playwright/test";
import { keyEndpoints } from "@/lib/contract/api-keys";
import { violationsOf } from "./fine";
import { expect, follow, signInAnew, test } from "./product";
import { pathOf } from "./route-roles";

const phone = { width: 390, height: 844 };

async function inviteTo(page: Page, role: string): Promise<string> {
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: new RegExp(`^${role}`) }).check();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Create the invitation" }).click();
  const link = await dialog.getByRole("textbox", { name: "the invitation’s link" }).inputValue();
  await dialog.getByRole("button", { name: "Done" }).click();
  return link;
}

/** Switches the account in the open menu; the page is loaded again. */
async function choose(page: Page, account: string): Promise<void> {
  const loaded = page.waitForEvent("load");
  await page.getByRole("menuitem", { name: account }).click();
  await loaded;
}

const rowOf = (page: Page, name: string, text: string) =>
  page.getByRole("region", { name }).getByRole("row").filter({ hasText: text });

test("two people share an account: invited, limited by the role, switching, removed", {
  tag: "@core",
}, async ({ page, browser, baseURL, allowStatus }) => {
  allowStatus(409);
  const owner = await signInAnew(page);
  await page.goto("/members");
  await expect(rowOf(page, "People", owner)).toContainText("Owner");
  await page.getByLabel("Name of the account").fill("Lighthouse films");
  await page.getByRole("button", { name: "Save the name" }).click();
  await expect(page.getByText("The name is saved.")).toBeVisible();
  const link = await inviteTo(page, "Developer");
  await expect(rowOf(page, "Open invitations", "anyone with the link")).toContainText("Developer");

  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  const second = await context.newPage();
  const member = await signInAnew(second);
  await second.goto(link);
  await expect(
    second.getByText("You are invited to Lighthouse films, as Developer."),
  ).toBeVisible();
  expect(await violationsOf(second)).toEqual([]);
  await second.getByRole("button", { name: "Accept" }).click();
  await second.waitForURL("**/overview");
  const menu = second.getByRole("button", { name: "Account: Lighthouse films. Switch" });
  await expect(menu).toBeVisible();
  expect(await violationsOf(second)).toEqual([]);

  // The link worked once.
  await second.goto(link);
  await expect(
    second.getByText("This invitation was used or revoked, or has expired."),
  ).toBeVisible();

  // A developer makes keys, and sees neither statements nor vouchers.
  await second.goto("/points");
  await expect(second.getByText("Your role in this account: Developer.")).toBeVisible();
  await expect(second.getByRole("button", { name: "Redeem" })).toHaveCount(0);
  await second.getByRole("button", { name: "Create a key" }).first().click();
  await second.getByRole("dialog").getByLabel("Name").fill("by a colleague");
  await second.getByRole("dialog").getByRole("button", { name: "Create" }).click();
  await second.getByRole("button", { name: "I saved it" }).click();
  await follow(page, "/keys");
  await expect(rowOf(page, "Keys", "by a colleague")).toContainText(`made by ${member}`);

  // The other account, on a phone.
  await second.setViewportSize(phone);
  await second.getByRole("button", { name: "More" }).click();
  await second
    .getByRole("dialog")
    .getByRole("button", { name: /^Account: / })
    .click();
  await choose(second, member);
  await follow(second, "/keys");
  await expect(second.getByText("No keys yet.")).toBeVisible();
  await expect(second.getByText("by a colleague")).toHaveCount(0);
  await second.getByRole("button", { name: "More" }).click();
  await second
    .getByRole("dialog")
    .getByRole("button", { name: /^Account: / })
    .click();
  await choose(second, "Lighthouse films");
  await second.setViewportSize({ width: 1440, height: 900 });
  await follow(second, "/keys");
  await expect(rowOf(second, "Keys", "by a colleague")).toBeVisible();

  // A new role counts at once.
  await follow(page, "/members");
  await page.getByRole("button", { name: `Actions for ${member}` }).click();
  await page.getByRole("menuitem", { name: "Change the role" }).click();
  await page
    .getByRole("dialog")
    .getByRole("radio", { name: /^Billing/ })
    .check();
  await page
    .getByRole("dialog")
    .getByRole("checkbox", { name: /Keep the key/ })
    .check();
  await page.getByRole("dialog").getByRole("button", { name: "Change the role" }).click();
  await expect(rowOf(page, "People", member)).toContainText("Billing");
  await second.goto("/usage");
  await expect(second.getByText("It does not include this page.")).toBeVisible();
  await expect(second.getByRole("navigation", { name: "Dashboard" })).not.toContainText(
    "Playground",
  );
  expect(await violationsOf(second)).toEqual([]);

  // Removed: the page that is still open acts on no other account.
  await follow(second, "/points");
  await page.getByRole("button", { name: `Actions for ${member}` }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(rowOf(page, "People", member)).toHaveCount(0);
  const answer = await second.evaluate(
    async ({ id, path }) => {
      const response = await fetch(path, {
        method: "POST",
        headers: { "content-type": "application/json", "x-relay-account": id },
        body: JSON.stringify({ name: "late" }),
      });
      return response.status;
    },
    { id: "acct_of_the_page", path: keyEndpoints.createKey.path },
  );
  expect(answer).toBe(409);
  // What a page reads may be three seconds behind.
  const shown = async () => (await (await second.request.get(pathOf("showMe"))).json()).account;
  await expect.poll(shown).toMatchObject({ isOwn: true });
  await expect(async () => {
    await second.goto("/overview");
    await expect(second.getByRole("button", { name: /^Account: / })).toHaveCount(0, {
      timeout: 1000,
    });
  }).toPass({ timeout: 20_000 });
  await context.close();
});
