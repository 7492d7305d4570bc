import { expect, test } from "vitest";
import { startMailCatcher } from "@/testing/accounts/mail-catcher";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { createInvite } from "../commands/invites";
import { signInWithPassword } from "../commands/sign-in";
import { mailSignInLink } from "./identities";
import { signUp } from "./sign-up";

const password = "correct horse battery";
const site = await opened(startSiteProcess());

const answerOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => ({ code: "made" }),
    ({ code, message, param }) => ({ code, message, param }),
  );

test("signing up again with the right password finds the account; a wrong one counts as a failed sign-in", async () => {
  const email = "again@example.com";
  const made = await signUp(site.deps, { email, password, address: "192.0.2.1" });
  expect(
    await signUp(site.deps, { email: "Again@Example.com", password, address: "192.0.2.1" }),
  ).toEqual(made);
  const wrong = () =>
    answerOf(signUp(site.deps, { email, password: "another password", address: "192.0.2.1" }));
  expect(await wrong()).toMatchObject({ code: "wrong_credentials", param: "email" });
  for (let each = 0; each < 9; each++) await wrong();
  // Guessing passwords by sign-up has the same limit as by sign-in.
  expect((await wrong()).code).toBe("sign_in_rate_limited");
  expect(
    (await answerOf(signInWithPassword(site.deps, { email, password, address: "192.0.2.2" }))).code,
  ).toBe("sign_in_rate_limited");
});

test("an address may test fifty times in fifteen minutes whether an email is taken", async () => {
  const answers = [];
  for (let each = 0; each < 53; each++)
    answers.push(
      await answerOf(
        signUp(site.deps, { email: `t${each}@example.com`, password, address: "192.0.2.20" }),
      ),
    );
  expect(answers.filter(({ code }) => code === "made")).toHaveLength(50);
});

test("where mail is set up, sign-up with a password gets the same answer for taken and free emails, and creates nothing", async () => {
  await signUp(site.deps, { email: "taken@example.com", password, address: "192.0.2.3" });
  const deps = {
    ...site.deps,
    settings: { ...site.deps.settings, SMTP_URL: "smtp://127.0.0.1:1" },
  };
  const taken = await answerOf(
    signUp(deps, {
      email: "taken@example.com",
      password: "another password",
      address: "192.0.2.4",
    }),
  );
  const free = await answerOf(
    signUp(deps, {
      email: "free@example.com",
      password: "another password",
      address: "192.0.2.4",
    }),
  );
  expect(taken).toEqual(free);
  expect(taken.code).toBe("sign_up_closed");
  expect(await site.deps.database.user.count({ where: { email: "free@example.com" } })).toBe(0);
  const { code } = await createInvite(site.deps, "cli", { note: null, points: null, days: 1 });
  expect(
    (
      await answerOf(
        signUp(deps, {
          email: "invited@example.com",
          password,
          invite: code,
          address: "192.0.2.4",
        }),
      )
    ).code,
  ).toBe("made");
});

test("only the mail tells its owner how to continue: a link, or the password where a link must not open the account", async () => {
  const server = await startMailCatcher();
  const mail = {
    server: server.url,
    from: "relay@example.com",
    to: "ada@example.com",
    origin: "https://relay.example",
    locale: "en" as const,
  };
  const link = "https://relay.example/api/auth/callback/email?token=abc";
  await signUp(site.deps, { email: "unproved@example.com", password, address: "192.0.2.5" });
  await mailSignInLink(site.deps, { ...mail, link }, null);
  await mailSignInLink(site.deps, { ...mail, to: "unproved@example.com", link }, null);
  const [first = "", second = ""] = server.mails.map(({ text }) => text);
  expect(first).toContain("/api/auth/callback/email?token");
  expect(second).toContain("https://relay.example/login");
  expect(second).not.toContain("token");
  for (const text of [first, second]) expect(text).toContain("nothing has changed");
  server.close();
});
