/** A browser without scripts: it follows redirects, keeps cookies by host, and sends forms. */
interface Page {
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

export class PageVisitor {
  readonly #cookies = new Map<string, Map<string, string>>();

  #jarOf(url: string): Map<string, string> {
    const { host } = new URL(url);
    const jar = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, jar);
    return jar;
  }

  async #send(url: string, form?: Readonly<Record<string, string>>): Promise<Response> {
    const jar = this.#jarOf(url);
    const answer = await fetch(url, {
      redirect: "manual",
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(form && { origin: new URL(url).origin }),
      },
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === "" || /expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }

  /** The page behind an address, or behind the answer to a form, after all redirects. */
  async visit(address: string, form?: Readonly<Record<string, string>>): Promise<Page> {
    let [url, sent] = [address, form];
    for (let hops = 0; hops < 20; hops++) {
      const answer = await this.#send(url, sent);
      const location = answer.headers.get("location");
      if (location === null) return { url, status: answer.status, text: await answer.text() };
      await answer.text();
      [url, sent] = [new URL(location, url).href, undefined];
    }
    throw new Error(`${address} redirects without end`);
  }

  /** Sends a page's only form, with more fields. */
  submit({ url, text }: Page, fields: Readonly<Record<string, string>>): Promise<Page> {
    const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1];
    if (action === undefined) throw new Error(`${url} has no form`);
    const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name = "", value = ""]) => [name, value],
    );
    return this.visit(new URL(action, url).href, { ...Object.fromEntries(hidden), ...fields });
  }
}
