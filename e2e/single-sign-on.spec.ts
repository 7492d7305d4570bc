/** Sign-in through an issuer of OpenID Connect, on an instance with one. */
import type { Page } from "@playwright/test";
import { AUTH_PATH } from "@/lib/contract/page-paths";
import { OidcIssuer } from "@/testing/accounts/oidc-issuer";
import { assertFine, sizes } from "./fine";
import { expect, forgetSession, newEmail, pointsPageIsAlive, test } from "./product";
import { pathOf } from "./route-roles";
import { type Served, serveInstance } from "./serve-product";

let issuer: OidcIssuer;
let served: Served;
test.beforeAll(async () => {
  issuer = await OidcIssuer.open();
  served = await serveInstance("single-sign-on", {
    OIDC_ISSUER: issuer.address,
    OIDC_CLIENT_ID: issuer.clientId,
    OIDC_CLIENT_SECRET: issuer.clientSecret,
    OIDC_LABEL: "Acme",
  });
});
test.afterAll(async () => {
  issuer.close();
  await served.stop();
});
test.beforeEach(() => {
  issuer.claims = {};
  issuer.isSignedByOther = false;
  issuer.state = null;
});
test.describe.configure({ mode: "serial" });

async function signIn(page: Page, claims: object): Promise<void> {
  issuer.claims = { ...claims };
  await page.goto(`${served.address}/login`);
  await page.getByRole("button", { name: "Continue with Acme" }).click();
  // The way over the issuer ends in the product or on this page with an error.
  await page.waitForURL((url) => url.href !== `${served.address}/login`);
}

const isIn = (page: Page) => expect(page).toHaveURL(`${served.address}/points`);
const isRefused = async (page: Page) => {
  await expect(page).toHaveURL(/\/login\?.*error=/);
  expect((await page.request.get(`${served.address}${pathOf("showMe")}`)).status()).toBe(401);
};

const ada = { sub: "1", email: newEmail(), email_verified: true, name: "Ada" };

test("a person of the issuer gets an account, and it again at the next sign-in", async ({
  page,
}) => {
  await page.setViewportSize(sizes.phone);
  await page.goto(`${served.address}/login`);
  await assertFine(page, "the login page", { isPhoneOwn: true });
  await signIn(page, ada);
  await isIn(page);
  await pointsPageIsAlive(page);
  const asked = issuer.lastAsked;
  for (const name of ["state", "nonce", "code_challenge"])
    expect(asked.get(name)?.length, name).toBeGreaterThan(20);
  expect(asked.get("code_challenge_method")).toBe("S256");
  const user = async () =>
    (await (await page.request.get(`${served.address}${pathOf("showMe")}`)).json()).user;
  const first = await user();
  expect(first).toMatchObject({ email: ada.email, name: "Ada", hasPassword: false });
  await forgetSession(page);
  // The subject says who it is, not the address, and an account outlives a change of the address.
  await signIn(page, { ...ada, email: newEmail(), email_verified: false });
  await isIn(page);
  expect(await user()).toMatchObject({ id: first.id, email: ada.email });
});

test("an address with an account is not taken over", async ({ page }) => {
  await signIn(page, { ...ada, sub: "2" });
  await isRefused(page);
});

const subjectsOf = async (page: Page) =>
  (
    await (await page.request.get(`${served.address}${pathOf("listIdentities")}`)).json()
  ).identities.map(({ subject }: { subject: string }) => subject);

for (const email_verified of [false, "false", "False", "true", 0, 1, null, "no", undefined])
  test(`an address with email_verified ${JSON.stringify(email_verified)} gets no account`, async ({
    page,
  }) => {
    await signIn(page, { sub: `3${email_verified}`, email: newEmail(), email_verified });
    await isRefused(page);
  });

const lies: readonly (readonly [string, object])[] = [
  ["of another sign-in", { nonce: "another" }],
  ["without a nonce", { nonce: undefined }],
  ["for another client", { aud: "other" }],
  ["of another issuer", { iss: "https://other.example" }],
  ["that is over", { exp: Math.floor(Date.now() / 1000) - 60 }],
  ["without a subject", { sub: undefined }],
  ["of hours to come", { iat: Math.floor(Date.now() / 1000) + 4 * 3600 }],
  ["without a time", { iat: undefined }],
  ["whose address has no @", { sub: "4", email: "root" }],
  ["whose address has two lines", { sub: "5", email: "a@example.com\nb@example.com" }],
];
for (const [what, lie] of lies)
  test(`a token ${what} is refused`, async ({ page }) => {
    await signIn(page, { ...ada, ...lie });
    await isRefused(page);
  });

test("a token with another's signature is refused", async ({ page }) => {
  issuer.isSignedByOther = true;
  await signIn(page, ada);
  await isRefused(page);
});

test("an answer counts in the browser that asked, once", async ({ page, browser }) => {
  let answer = "";
  page.on("request", (request) => {
    if (request.url().includes(`${AUTH_PATH}/callback/oidc`)) answer = request.url();
  });
  await signIn(page, ada);
  await isIn(page);
  const stranger = await browser.newPage();
  for (const other of [stranger, page]) {
    if (other === page) await forgetSession(page);
    await other.goto(answer);
    await isRefused(other);
  }
  await stranger.close();
  const changed = issuer.exchanged.length;
  issuer.state = "another";
  await signIn(page, ada);
  await isRefused(page);
  expect(issuer.exchanged).toHaveLength(changed);
});

// Last: afterwards the first sign-in is no way in any more.
test("a sign-in adds no service to a live session; the settings do, and remove it", async ({
  page,
  browser,
}) => {
  await signIn(page, ada);
  await isIn(page);
  // As from another tab: the page of a signed-in user has no such button.
  const other = await browser.newPage();
  await other.goto(`${served.address}/login`);
  const cookies = await page.context().cookies();
  await other.context().addCookies(cookies);
  issuer.claims = { ...ada, sub: "stranger", email: newEmail() };
  await other.getByRole("button", { name: "Continue with Acme" }).click();
  await expect(other).toHaveURL(/settings\?refused=identity/);
  await expect(other.getByText("The sign-in was not added.")).toBeVisible();
  expect(await subjectsOf(page)).toEqual(["1"]);
  await other.close();
  for (const [name, size] of Object.entries(sizes)) {
    await page.setViewportSize(size);
    await page.goto(`${served.address}/settings`);
    await expect(
      page.getByRole("button", { name: "Remove the sign-in through Acme" }),
    ).toBeVisible();
    await assertFine(page, `the services on the settings page, ${name}`);
  }
  issuer.claims = { ...ada, sub: "second", email: newEmail() };
  await page.getByRole("button", { name: "Add Acme" }).click();
  await expect(page.getByText("second", { exact: true })).toBeVisible();
  expect(await subjectsOf(page)).toEqual(["1", "second"]);
  const remove = page.getByRole("button", { name: "Remove the sign-in through Acme" });
  await remove.first().click();
  await expect(remove).toHaveCount(1);
  expect(await subjectsOf(page)).toEqual(["second"]);
});
