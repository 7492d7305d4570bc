import { assertFine, assertFits, sizes, widths } from "./fine";
import { newCustomer, signInAsOperator } from "./operator-desk";
import {
  beginSession,
  chat,
  expect,
  forgetSession,
  newEmail,
  password,
  relayCommand,
  test,
} from "./product";

const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

test("the overview says what the points are enough for, and which steps are done", async ({
  page,
  baseURL,
}) => {
  const { email, key } = await newCustomer();
  await beginSession(page, email);
  await page.goto("/overview");
  const balance = page.getByRole("region", { name: "Available points" });
  await expect(balance).toContainText("You have 1,000.00 points. That is about");
  await expect(balance).toContainText(/about (one|\d+) videos? of/);
  const steps = page.getByRole("region", { name: "First steps" });
  await expect(steps.getByRole("listitem").filter({ hasText: "Create a key" })).toContainText(
    "(done)",
  );
  const first = steps.getByRole("listitem").filter({ hasText: "Send your first request" });
  await expect(first).toContainText("(to do)");
  expect((await chat(baseURL, key, "Say hello.")).status).toBe(200);
  await expect(first).toContainText("(done)", { timeout: 15_000 });
  await page.reload();
  await expect(balance).toContainText("at your pace");
  await steps.getByRole("button", { name: "Hide the first steps" }).click();
  await expect(steps).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("region", { name: "Last requests" })).toContainText("RelayV1");
  await expect(steps).toHaveCount(0);
});

test("without points the overview says what to do", async ({ page }) => {
  const email = newEmail();
  await relayCommand(
    ...["account", "create", "--email", email, "--password", password, "--points", "0"],
  );
  await beginSession(page, email);
  await page.goto("/overview");
  const balance = page.getByRole("region", { name: "Available points" });
  await expect(balance).toContainText("You have no points left.");
  await expect(balance).toContainText("the operator of this installation adds points");
  const steps = page.getByRole("region", { name: "First steps" });
  await expect(steps.getByRole("listitem").nth(1)).toContainText("Get points");
  const { vouchers } = (await relayCommand("voucher", "create", "--points", "50")) as {
    vouchers: [string];
  };
  await balance.getByRole("button", { name: "Redeem a voucher" }).click();
  await page.getByLabel("Code").fill(vouchers[0]);
  await page.getByRole("button", { name: "Add the points" }).click();
  await expect(balance).toContainText("You have 50.00 points.");
  await expect(steps).not.toContainText("Get points");
});

test("the overview shows keys near their budget or their end, and the latest results as pictures", {
  tag: "@core",
}, async ({ page, baseURL }) => {
  const { email } = await newCustomer();
  const make = async (name: string, ...limits: string[]) =>
    (
      (await relayCommand("key", "create", "--email", email, "--name", name, ...limits)) as {
        secret: string;
      }
    ).secret;
  const spender = await make("nightly batch", "--budget", "20");
  await make("laptop", "--expires", dayFromNow(3));
  await make("far away", "--expires", dayFromNow(60));
  const image = await fetch(`${baseURL}/v1/images/generations`, {
    method: "POST",
    headers: { authorization: `Bearer ${spender}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "super-relay-img", prompt: "A fox" }),
  });
  expect(image.status).toBe(200);
  await beginSession(page, email);
  await page.goto("/overview");
  const keys = page.getByRole("region", { name: "Keys to look at" });
  const rows = keys.getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(/nightly batch[\d.]+ points left of 20\.00/);
  await expect(rows.last()).toContainText("laptopexpires in");
  await rows.last().getByRole("button", { name: "Extend laptop" }).click();
  const limits = page.getByRole("dialog", { name: "Change limits" });
  await limits.getByRole("button", { name: "Cancel" }).click();
  await rows.first().getByRole("button", { name: "Raise the budget nightly batch" }).click();
  const raise = page.getByRole("dialog", { name: "Raise the budget of “nightly batch”" });
  await raise.getByLabel("New budget, in points").fill("2000");
  await raise.getByRole("button", { name: "Raise" }).click();
  await expect(rows).toHaveCount(1);
  const picture = page.getByRole("region", { name: "Latest results" }).getByRole("link", {
    name: /A fox/,
  });
  await expect(picture).toBeVisible();
  await picture.click();
  await expect(page).toHaveURL(/\/tasks\/req_/);
});

test("the operators' overview shows what needs a person, the trends, and the health of channels; each part is a link", {
  tag: "@core",
}, async ({ page, baseURL }) => {
  const { key } = await newCustomer();
  for (const content of ["Say hello.", "[[fail]]"]) await chat(baseURL, key, content);
  const { channel } = (await relayCommand(
    ...["channel", "create", "--name", `overview ${Date.now()}`, "--protocol", "openai"],
    ...["--base-url", "http://127.0.0.1:1", "--models", "RelayV1=theirs", "--priority", "-9"],
  )) as { channel: { id: string } };
  await relayCommand("channel", "disable", "--id", channel.id);
  await relayCommand(
    ...["price", "set", "--model", "RelayV1", "--input", "80", "--output", "700"],
    ...["--effective", dayFromNow(30)],
  );
  await signInAsOperator(page);
  const needs = page.getByRole("region", { name: "What needs a person" });
  for (const [name, path] of [
    [/^Channels/, "/admin/channels"],
    [/^Stuck work/, "/admin/tasks"],
    [/^Payments/, "/admin/packages"],
    [/^Ledger/, "/admin/money"],
  ] as const)
    await expect(needs.getByRole("link", { name })).toHaveAttribute("href", new RegExp(path));
  await expect(page.getByRole("link", { name: /^Requests\s*[\d,]+/ })).toHaveAttribute(
    "href",
    "/admin/requests?range=day",
  );
  await expect(page.getByRole("link", { name: /^Errors by cause\s*[1-9]/ })).toContainText(
    "of requests",
  );
  const tables = page.getByRole("region", { name: "The charts as tables" });
  await tables.getByText("The charts as tables").click();
  await tables.getByText("Errors by cause as a table").click();
  await expect(tables.getByRole("columnheader", { name: "Upstream" })).toBeVisible();
  await expect(tables.getByRole("row")).toHaveCount(25);
  await expect(page.getByRole("region", { name: "Channels" })).toContainText("disabled");
  await expect(page.getByRole("region", { name: "Prices to come" })).toContainText("RelayV1");
  await page.getByText("7 days", { exact: true }).click();
  await expect(page).toHaveURL(/range=week/);
  await expect(tables.getByRole("row")).toHaveCount(29);
  await relayCommand("channel", "remove", "--id", channel.id);
});

test("the operators' charts of money are by day: charges, worth and cost, points outstanding", async ({
  page,
  baseURL,
}) => {
  const { key } = await newCustomer();
  await chat(baseURL, key, "Say hello.");
  await signInAsOperator(page, "/admin/money");
  const card = page.getByRole("region", { name: "By day" });
  await card.getByText("As a table").click();
  await expect(card.getByRole("row")).toHaveCount(31);
  for (const name of ["Outstanding", "Requests", "Worth and cost", "Charged"]) {
    await card.getByRole("radio", { name, exact: true }).click({ force: true });
    await expect(card.getByRole("slider", { name: `${name} by day` })).toBeVisible();
  }
  await expect(card.getByRole("row").nth(1)).toContainText(/\d\.\d\d/);
});

for (const [size, viewport] of Object.entries(sizes)) {
  test(`overviews and charts with data are accessible on a ${size}`, async ({ page, baseURL }) => {
    await page.setViewportSize(viewport);
    const { email, key } = await newCustomer();
    await relayCommand(
      ...["key", "create", "--email", email, "--name", "short", "--expires", dayFromNow(2)],
    );
    for (const content of ["Say hello.", "[[fail]]"]) await chat(baseURL, key, content);
    await beginSession(page, email);
    for (const path of [
      "/overview",
      "/usage?measure=latency&group=key&days=90",
      "/usage?days=30",
    ]) {
      await page.goto(path);
      await page.getByText("As a table").first().click();
      await assertFine(page, path, { isPhoneOwn: true });
    }
    await forgetSession(page);
    await signInAsOperator(page);
    await assertFine(page, "/admin", { isPhoneOwn: true });
    await page.goto("/admin/money");
    await assertFine(page, "/admin/money", { isPhoneOwn: true });
  });
}

test("no chart makes a page scroll sideways, however narrow or wide", async ({ page, baseURL }) => {
  const { email, key } = await newCustomer();
  await chat(baseURL, key, "Say hello.");
  await beginSession(page, email);
  for (const path of ["/overview", "/usage?days=90"]) {
    await page.goto(path);
    await page.getByText("As a table").first().click();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await assertFits(page, `${path} at ${width}`);
    }
  }
});
