import { isReady } from "./fine";
import { chat, expect, follow, newKey, openPoints, test } from "./product";

test("pages can be opened by keyboard: with the palette, g and a letter, and from the list of shortcuts", {
  tag: "@core",
}, async ({ page }) => {
  await openPoints(page);
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Go to" });
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("set");
  await expect(palette.getByRole("option", { name: /Settings/ })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/settings$/);
  await expect(palette).toBeHidden();

  await page.keyboard.press("g");
  await page.keyboard.press("u");
  await expect(page.getByRole("heading", { name: "Usage", level: 1 })).toBeVisible();

  await page.keyboard.press("?");
  const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(shortcuts).toContainText("Overview");
  await page.keyboard.press("Escape");
  await expect(shortcuts).toBeHidden();

  // A page's own search comes first.
  await page.keyboard.press("/");
  await expect(page.getByRole("main").getByRole("searchbox")).toBeFocused();
  await page.keyboard.press("Escape");
  await follow(page, "/overview");
  await isReady(page);
  await page.keyboard.press("/");
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");

  // While the user types, shortcuts are letters.
  await follow(page, "/settings");
  await page.getByLabel("Name").fill("");
  await page.getByLabel("Name").pressSequentially("gu?/");
  await expect(page.getByLabel("Name")).toHaveValue("gu?/");
  await expect(page).toHaveURL(/\/settings$/);
});

test("an answer's request id leads to its request", async ({ page, baseURL }) => {
  const key = await newKey(await openPoints(page), "found");
  const id = (await chat(baseURL, key, "Say hello.")).headers.get("x-request-id") ?? "";
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Page, setting or request id" }).fill(id);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toContainText(id);
});

test("on a phone the pages outside the bottom bar are behind its last button", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openPoints(page);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Prices" }).click();
  await expect(page).toHaveURL(/\/pricing$/);
});
