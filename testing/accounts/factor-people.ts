/** People with second factors, and their browsers. */
import { Secret, TOTP } from "otpauth";
import { expect } from "vitest";
import type { PagesDeps } from "@/lib/pages-api/pages-deps";
import { Authenticator } from "./authenticator";
import { RecoveryPages } from "./recovery-pages";
import { TestBrowser } from "./test-browser";

export const codeOf = (secret: string, steps = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 });

export class FactorPeople {
  #addresses = 0;

  private constructor(readonly site: RecoveryPages) {}

  static open = async () => new FactorPeople(await RecoveryPages.open());

  newBrowser(deps: PagesDeps = this.site.deps): TestBrowser {
    return new TestBrowser(deps, `203.0.113.${(++this.#addresses % 250) + 1}`);
  }

  async signedIn() {
    const { userId, email } = await this.site.newUser();
    const browser = this.newBrowser();
    await browser.passFirstStep(userId);
    return { userId, email, browser };
  }

  /** A user with an authenticator app. The app's current code is used up. */
  async withApp() {
    const user = await this.signedIn();
    const { secret } = (await user.browser.call("startTotp")).json;
    const used = codeOf(secret);
    const made = await user.browser.call("confirmTotp", { code: used });
    expect(made.json.recoveryCodes).toHaveLength(10);
    const codes: string[] = made.json.recoveryCodes;
    return { ...user, used, secret: String(secret), codes };
  }

  async withPasskey() {
    const user = await this.signedIn();
    const device = new Authenticator(this.site.deps.settings.publicUrl);
    const wanted = (await user.browser.call("startPasskey")).json;
    const made = await user.browser.call("addPasskey", device.register(wanted));
    expect(made.code).toBe("done");
    return { ...user, device };
  }

  async pending(userId: string): Promise<TestBrowser> {
    const browser = this.newBrowser();
    expect(await browser.passFirstStep(userId)).toEqual({ isPending: true });
    return browser;
  }
}
