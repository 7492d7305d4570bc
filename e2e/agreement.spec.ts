import type { Locator, Page } from "@playwright/test";
import { builtInModels as models } from "@/lib/catalog/built-in";
import { words } from "@/testing/cli/words";
import { expect, newKey, relayCommand, signInAnew, test } from "./product";

/** Applied to every model's price, so that a price shown without it is found. */
const multiplier = "0.85";
type Usage = {
  usage: { model: string; input_tokens: number; output_tokens: number; points: number }[];
};

async function post(baseUrl: string | undefined, key: string, path: string, body: object) {
  const answer = await fetch(`${baseUrl}/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(answer.status, `${path} ${JSON.stringify(body)}`).toBe(200);
  return answer.json();
}

/** Reads an amount on the page to the micropoint: six decimals, as users see it. */
async function amountIn(place: Locator): Promise<string> {
  const amount = /([\d,]+\.\d{6})/;
  await expect(place).toContainText(amount);
  const [, text = ""] = amount.exec((await place.textContent()) ?? "") ?? [];
  return text.replaceAll(",", "");
}

async function openAccount(page: Page) {
  const email = await signInAnew(page);
  await relayCommand(
    ...words`account credit --email ${email} --points 50000 --reason ${"enough for a video of every model"}`,
  );
  await relayCommand("account", "multiplier", "--email", email, "--value", multiplier);
  const key = await newKey(email, "agreement");
  // Applies in every process within five seconds.
  const model = "RelayV1";
  await expect
    .poll(
      async () =>
        (
          await post(process.env.E2E_BASE_URL, key, "/quote", {
            endpoint: "createChatCompletion",
            model,
            messages: [{ role: "user", content: "x" }],
          })
        ).multiplier,
    )
    .toBe(Number(multiplier));
  return { email, key };
}

const chargeOf = async (email: string, model: string) => {
  const { usage } = (await relayCommand("usage", "--email", email)) as Usage;
  return usage.filter((record) => record.model === model);
};

test("list, calculator, quote, playground and charge agree to the micropoint for every model", async ({
  page,
  baseURL,
}) => {
  test.slow();
  const { email, key } = await openAccount(page);
  const made = models
    .filter(({ family }) => family !== "text")
    .map(({ id, family }) =>
      family === "video"
        ? post(baseURL, key, "/videos/generations", {
            model: id,
            prompt: "a hare",
            resolution: "480p",
            ratio: "16:9",
            duration: 6,
          })
        : post(baseURL, key, "/images/generations", {
            model: id,
            prompt: "a hare",
            size: "1024x512",
          }),
    );
  const words = [{ role: "user", content: "Say hello." }];
  const text = await post(baseURL, key, "/chat/completions", { model: "RelayV1", messages: words });
  const shown = new Map<string, Record<string, string>>(models.map(({ id }) => [id, {}]));
  const note = (model: string, where: string, amount: string) =>
    Object.assign(shown.get(model) as object, { [where]: amount });

  await page.goto("/pricing");
  const calculator = page.getByRole("region", { name: "What will it cost?" });
  for (const { id, family } of models) {
    await calculator
      .getByText({ text: "Text", video: "Video", image: "Image" }[family], { exact: true })
      .click();
    if (family === "text") {
      await calculator.getByLabel("Tokens in").fill(String(text.usage.prompt_tokens));
      await calculator.getByLabel("Tokens out").fill(String(text.usage.completion_tokens));
    } else if (family === "video") {
      await calculator.getByLabel("Model").selectOption(id);
      await calculator.getByText("480p", { exact: true }).click();
      await calculator.getByRole("slider", { name: "Duration" }).fill("6");
    } else {
      await calculator.getByLabel("Width").fill("1024");
      await calculator.getByLabel("Height").fill("512");
    }
    note(id, "calculator", await amountIn(calculator));
  }

  for (const { id, family } of models) {
    if (family === "text") continue;
    const isVideo = family === "video";
    await page.goto(`/playground/${family}`);
    await page.getByLabel("Prompt").fill("a hare");
    if (isVideo) {
      await page.getByLabel("Model", { exact: true }).selectOption(id);
      await page.getByRole("radio", { name: "480p" }).check({ force: true });
      await page.getByLabel("Duration").fill("6");
    } else {
      await page.getByRole("radio", { name: "Exact size" }).check({ force: true });
      await page.getByLabel("Width").fill("1024");
      await page.getByLabel("Height").fill("512");
    }
    const quote = await post(baseURL, key, "/quote", {
      endpoint: isVideo ? "/v1/videos/generations" : "/v1/images/generations",
      model: id,
      prompt: "a hare",
      ...(isVideo ? { resolution: "480p", ratio: "16:9", duration: 6 } : { size: "1024x512" }),
    });
    note(id, "quote", quote.estimate_points.toFixed(6));
    const quoted = page.getByText("This will cost").locator("..");
    await expect(quoted).toContainText(
      Number(quote.estimate_points).toLocaleString("en-US", { minimumFractionDigits: 6 }),
    );
    note(id, "playground", await amountIn(quoted));
  }

  await Promise.all(made);
  for (const { id } of models) {
    const [charge] = await chargeOf(email, id);
    note(id, "charge", charge?.points.toFixed(6) as string);
  }
  for (const [model, amounts] of shown)
    expect(new Set(Object.values(amounts)).size, `${model}: ${JSON.stringify(amounts)}`).toBe(1);

  await page.goto("/playground");
  await page.getByLabel("Message").fill("Say hello.");
  await page.getByLabel("Message").press("Enter");
  const answer = page.getByRole("article", { name: "RelayV1" });
  await expect(answer.getByRole("list", { name: "Cost, step by step" })).toContainText("settled");
  const charges = await chargeOf(email, "RelayV1");
  const settled = answer
    .getByRole("list", { name: "Cost, step by step" })
    .getByRole("listitem")
    .last();
  expect((await settled.textContent())?.replaceAll(",", "")).toContain(String(charges[0]?.points));
  const { account } = (await relayCommand("account", "show", "--email", email)) as {
    account: { available_points: number; held_points: number };
  };
  expect(account.held_points).toBe(0);
  await expect(page.getByRole("link", { name: /available/ })).toHaveText(
    new RegExp(
      account.available_points.toLocaleString("en-US", {
        minimumFractionDigits: 2,
        maximumFractionDigits: 2,
      }),
    ),
  );
});
