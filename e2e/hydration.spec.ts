import { expect, signInAnew, test } from "./product";

test("nothing can be written or chosen before it would be kept", async ({ page }) => {
  await signInAnew(page);
  for (const kind of ["video", ""]) {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/*.js*", async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`/playground/${kind}`, { waitUntil: "commit" });
    const text = page.getByRole("textbox", { name: kind === "" ? "Message" : "Prompt" });
    await expect(text).toBeDisabled();
    release();
    await text.fill("A hare on a hill");
    await expect(page.getByRole("link", { name: /available/ })).toContainText(/\d/);
    await expect(text).toHaveValue("A hare on a hill");
    await page.unrouteAll({ behavior: "wait" });
  }
});
