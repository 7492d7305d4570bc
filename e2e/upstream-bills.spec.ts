import { sendJson, startUpstream } from "@/testing/upstream/test-upstream";
import { signInAsOperator } from "./operator-desk";
import { expect, relayCommand, test } from "./product";

/** An upstream that publishes prices, and is asked for nothing else. */
const startPublisher = () =>
  startUpstream((response, { path }) => {
    if (path?.endsWith("/pricing") !== true) return sendJson(response, "{}", 404);
    const data = [{ model_name: "theirs", quota_type: 0, model_ratio: 1, completion_ratio: 4 }];
    return sendJson(response, JSON.stringify({ data }));
  });

test("an operator reads an upstream's price list, accepts a rate, finds what its bill has too much, and sets an alarm", async ({
  page,
}) => {
  test.slow();
  const { url, close } = await startPublisher();
  const name = `publisher ${Date.now()}`;
  await relayCommand(
    ...["channel", "create", "--name", name, "--protocol", "openai", "--base-url", `${url}/v1`],
    ...["--models", "RelayV1=theirs", "--priority", "-9"],
  );
  const id = await idOf(name);
  await relayCommand("channel", "disable", "--id", id);
  await signInAsOperator(page, "/admin/upstream-bills");

  await page.getByRole("button", { name: "Set a list…" }).click();
  const list = page.getByRole("dialog", { name: "Price list of a channel" });
  await list.getByLabel("Channel").selectOption({ label: name });
  await list.getByRole("button", { name: "Save" }).click();
  await expect(list).toBeHidden();
  const prices = page.getByRole("region", { name: "Price lists of upstreams" });
  const row = prices.getByRole("row", { name: new RegExp(name) });
  // It is read within half a minute.
  await expect(async () => {
    await page.reload();
    await expect(row).toContainText("2.00 USD", { timeout: 3000 });
  }).toPass({ timeout: 90_000 });
  await row.getByRole("button", { name: "Accept" }).click();
  await expect(row).toBeHidden();

  await page.getByRole("button", { name: "Compare a bill" }).click();
  const bill = page.getByRole("dialog", { name: "Compare a bill" });
  await bill.getByLabel("File").setInputFiles({
    name: "november.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(
      `id,time,model,input_tokens,output_tokens,cost\nnever-made,${new Date().toISOString()},theirs,1000,100,0.0028`,
    ),
  });
  await bill.getByLabel("Channel").selectOption({ label: name });
  await bill.getByRole("button", { name: /^Compare/ }).click();
  await expect(bill).toBeHidden();
  await expect(page.getByText("A call that we did not make").first()).toBeVisible();
  await expect(page.getByText("never-made").first()).toBeVisible();
  await expect(page.getByText("1 call ·")).toBeVisible();

  await page.goto("/admin/channels");
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Balance alarm…" }).click();
  const alarm = page.getByRole("dialog", { name: `Balance alarm of ${name}` });
  await alarm.getByLabel("Tell below").fill("0");
  await alarm.getByRole("button", { name: "Save" }).click();
  await expect(alarm.getByText("An amount above 0")).toBeVisible();
  await alarm.getByLabel("Tell below").fill("20");
  await alarm.getByRole("button", { name: "Save" }).click();
  await expect(alarm).toBeHidden();
  await expect(page.getByRole("row", { name: new RegExp(name) })).toContainText("alarm below 20");
  await relayCommand("channel", "remove", "--id", id);
  await close();
});

async function idOf(name: string): Promise<string> {
  const { channels } = (await relayCommand("channel", "list")) as {
    channels: { id: string; name: string }[];
  };
  return channels.find((each) => each.name === name)?.id ?? "";
}
