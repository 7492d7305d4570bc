/** The pages' API with a mail server, called as by browsers that have mails. */

import { sessionOf } from "@/lib/accounts/session-store";
import { signUp } from "@/lib/accounts/sign-up";
import { signInWithPassword } from "@/lib/commands/sign-in";
import type { PageHandlers } from "@/lib/pages-api/page-handlers";
import type { PagesDeps } from "@/lib/pages-api/pages-deps";
import { OwnPages, type PageRoute } from "@/testing/pages-api/own-pages";
import { type CaughtMail, type MailCatcher, startMailCatcher } from "./mail-catcher";

export const password = "correct horse battery";

export class RecoveryPages {
  #people = 0;

  private constructor(
    readonly pages: OwnPages,
    readonly catcher: MailCatcher,
    readonly deps: PagesDeps,
    readonly routes: PageHandlers,
  ) {}

  static async open(): Promise<RecoveryPages> {
    const [pages, catcher] = [await OwnPages.open(), await startMailCatcher()];
    const { settings } = pages.site.deps;
    const deps = {
      ...pages.site.deps,
      settings: { ...settings, SMTP_URL: catcher.url, publicUrl: "https://relay.example" },
    };
    return new RecoveryPages(
      pages,
      catcher,
      deps,
      pages.routesOver(() => deps),
    );
  }

  /** A new user, who is signed in. */
  async newUser() {
    const number = ++this.#people;
    const email = `r${number}@example.com`;
    const address = `198.51.100.${number}`;
    const { userId, accountId } = await signUp(this.pages.site.deps, { email, password, address });
    await this.signIn(userId);
    return { email, userId, accountId, address };
  }

  async signIn(userId: string): Promise<void> {
    const user = await this.deps.database.user.findUniqueOrThrow({ where: { id: userId } });
    this.pages.user = sessionOf(user);
  }

  /** Answers the status and the code; resolves when the mails are sent. */
  async call(
    name: PageRoute,
    body: object,
    address = "192.0.2.1",
    language: Readonly<Record<string, string>> = {},
  ): Promise<[number, string]> {
    const request = new Request("http://localhost:3000/api/x", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-relay-client-address": address,
        ...language,
      },
      body: JSON.stringify(body),
    });
    const response = await this.routes[name](request);
    const { error } = (await response.json()) as { error?: { code: string } };
    await this.deps.outbox.idle();
    return [response.status, error?.code ?? "done"];
  }

  /** The newest mail to an address. */
  lastMail(email: string): CaughtMail {
    const mail = this.catcher.to(email).at(-1);
    if (mail === undefined) throw new Error(`There is no mail to ${email}.`);
    return mail;
  }

  /** Asks for a link to set a password, and returns its token. */
  async resetToken(email: string, address?: string): Promise<string> {
    await this.call("forgotPassword", { email }, address);
    return this.lastMail(email).token ?? "";
  }

  /** `in`, or why the sign-in failed. */
  async signInWith(email: string, given: string): Promise<string> {
    return signInWithPassword(this.deps, { email, password: given }).then(
      () => "in",
      ({ code }: { code: string }) => code,
    );
  }

  async close(): Promise<void> {
    this.catcher.close();
    await this.pages.close();
  }
}
