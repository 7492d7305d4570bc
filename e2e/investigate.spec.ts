import { assertFine, sizes } from "./fine";
import { newCustomer, signInTo } from "./operator-desk";
import { chat, expect, test } from "./product";

test("the usage page is filtered by a typed line, zoomed by keys, follows new requests, and the palette finds a key", async ({
  page,
  baseURL,
}) => {
  const { email, key } = await newCustomer();
  expect((await chat(baseURL, key, "Say hello.")).status).toBe(200);
  expect((await chat(baseURL, key, "[[fail]]")).status).toBeGreaterThanOrEqual(500);
  await signInTo(page, email, "/usage");
  const rows = page.getByRole("region", { name: "Requests" }).getByRole("row", { name: /RelayV1/ });
  await expect(rows).toHaveCount(2);
  const line = page.getByRole("searchbox", { name: "Filter as text" });
  await line.fill("model:relayv1 status:odd");
  await line.press("Enter");
  await expect(line).toHaveAccessibleDescription(/“status:odd”: the status is failed/);
  await line.fill("status:failed model:relayv1");
  await line.press("Enter");
  await expect(rows).toHaveCount(1);
  await expect(line).toHaveValue("status:failed model:RelayV1");
  await line.fill("> 0.000001 points");
  await line.press("Enter");
  await expect(page).toHaveURL(/pointsMin=0.000001/);
  await expect(rows).toHaveCount(1);
  await expect(rows).not.toContainText("not charged");
  await line.fill("");
  await line.press("Enter");
  await expect(rows).toHaveCount(2);

  await page.getByRole("button", { name: "Live" }).click();
  await expect(page.getByRole("button", { name: "Live" })).toHaveAttribute("aria-pressed", "true");
  expect((await chat(baseURL, key, "Say hello again.")).status).toBe(200);
  await expect(rows).toHaveCount(3);
  await page.getByRole("button", { name: "Live" }).click();

  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    await assertFine(page, `usage with its typed filter on a ${size}`);
  }
  await page.setViewportSize(sizes.desktop);
  const days = page.getByRole("group", { name: /Points by day|by day/ }).getByRole("button");
  await days.last().focus();
  await page.keyboard.press("Shift+ArrowLeft");
  await page.keyboard.press("Shift+ArrowLeft");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/from=.*to=/);
  await expect(days).toHaveCount(3);

  await page.getByRole("radio", { name: "Latency" }).click({ force: true });
  await expect(page).toHaveURL(/measure=latency/);
  await page.getByLabel("Divide once more").selectOption({ label: "and by Key" });
  await expect(page).toHaveURL(/and=key/);
  const legend = page.getByRole("list", { name: "Latency in the whole range" });
  await expect(legend).toContainText(/RelayV1 · production.*\(p95 /);
  await page.getByRole("button", { name: "Columns" }).click();
  // Both before the page is drawn again.
  await page.getByRole("menuitemcheckbox", { name: /^(Request id|Key)$/ }).evaluateAll((both) => {
    for (const each of both) if (each instanceof HTMLElement) each.click();
  });
  await page.keyboard.press("Escape");
  await expect(page.getByRole("columnheader", { name: "Request id" })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Key" })).toHaveCount(0);
  await expect(rows.first()).toContainText(/req_[0-9a-z]{26}/);
  await page.getByRole("button", { name: "Views" }).click();
  const views = page.getByRole("dialog", { name: "Views" });
  await views.getByLabel("Name of what is shown now").fill("Slow keys");
  await views.getByRole("button", { name: "Keep" }).click();
  await expect(views.getByRole("link", { name: "Slow keys" })).toBeVisible();
  await assertFine(page, "the kept views");
  await page.goto("/usage");
  await page.getByRole("button", { name: "Views" }).click();
  await views.getByRole("link", { name: "Slow keys" }).click();
  await expect(page).toHaveURL(/and=key/);
  await expect(page.getByRole("columnheader", { name: "Request id" })).toBeVisible();

  await page.keyboard.press("Control+k");
  const palette = page.getByRole("combobox", { name: "Page, setting or request id" });
  await expect(palette).toBeFocused();
  await palette.fill("production");
  await page.getByRole("option", { name: "Usage of the key production" }).click();
  await expect(page).toHaveURL(/key=key_/);
  await expect(line).toHaveValue("key:production");
});
