/** An issuer of OpenID Connect: it signs one person in without a question, and can lie. */
import { createHash, createPublicKey, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "../stage/listen";

const text64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const newKeys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });

interface Asked {
  readonly nonce: string | null;
  readonly challenge: string | null;
}

export class OidcIssuer {
  readonly clientId = "relay";
  readonly clientSecret = "the client's secret";
  /** Claims of the next ID token, over the honest ones. */
  claims: Readonly<Record<string, unknown>> = {};
  isSignedByOther = false;
  /** In place of the state that was sent. */
  state: string | null = null;
  /** Codes that were exchanged, with the verifier that came with each. */
  readonly exchanged: string[] = [];
  lastAsked = new URLSearchParams();
  address = "";
  readonly #keys = newKeys();
  readonly #other = newKeys();
  readonly #codes = new Map<string, Asked>();
  readonly #server = createServer((request, response) => {
    void this.#answer(request).then(({ status, location, json }) => {
      response.writeHead(status, {
        "content-type": "application/json",
        ...(location && { location }),
      });
      response.end(JSON.stringify(json ?? {}));
    });
  });

  static async open(): Promise<OidcIssuer> {
    const issuer = new OidcIssuer();
    issuer.address = (await listen(issuer.#server)).origin;
    return issuer;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #token(nonce: string | null): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: this.address,
      aud: this.clientId,
      iat: now,
      exp: now + 60,
      ...(nonce !== null && { nonce }),
      ...this.claims,
    };
    const body = `${text64({ alg: "RS256", kid: "one" })}.${text64(claims)}`;
    const { privateKey } = this.isSignedByOther ? this.#other : this.#keys;
    return `${body}.${sign("sha256", Buffer.from(body), privateKey).toString("base64url")}`;
  }

  /** As the standard says: the client's secret, a code that works once, and its PKCE verifier. */
  #exchange(given: URLSearchParams, authorization = "") {
    const [id, secret] = Buffer.from(authorization.replace("Basic ", ""), "base64")
      .toString()
      .split(":")
      .map((part) => decodeURIComponent(part.replaceAll("+", " ")));
    const code = given.get("code") ?? "";
    const verifier = given.get("code_verifier") ?? "";
    const asked = this.#codes.get(code);
    this.#codes.delete(code);
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const isRight = id === this.clientId && secret === this.clientSecret;
    if (!isRight || asked === undefined || asked.challenge !== challenge)
      return { status: 400, json: { error: "invalid_grant" } };
    this.exchanged.push(code);
    const json = { access_token: "x", token_type: "Bearer", id_token: this.#token(asked.nonce) };
    return { status: 200, json };
  }

  async #answer(
    request: IncomingMessage,
  ): Promise<{ status: number; location?: string; json?: object }> {
    const { pathname, searchParams } = new URL(request.url ?? "/", this.address);
    if (pathname === "/token") {
      const body = new URLSearchParams(await text(request));
      return this.#exchange(body, request.headers.authorization);
    }
    if (pathname === "/jwks") {
      const key = createPublicKey(this.#keys.privateKey).export({ format: "jwk" });
      return { status: 200, json: { keys: [{ ...key, kid: "one", use: "sig", alg: "RS256" }] } };
    }
    if (pathname === "/authorize") {
      this.lastAsked = searchParams;
      const code = randomUUID();
      const challenge = searchParams.get("code_challenge");
      this.#codes.set(code, { nonce: searchParams.get("nonce"), challenge });
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("code", code);
      back.searchParams.set("state", this.state ?? searchParams.get("state") ?? "");
      return { status: 302, location: back.href };
    }
    if (pathname !== "/.well-known/openid-configuration") return { status: 404 };
    const { address: issuer } = this;
    const [authorization_endpoint, token_endpoint, jwks_uri] = [
      "/authorize",
      "/token",
      "/jwks",
    ].map((path) => issuer + path);
    return { status: 200, json: { issuer, authorization_endpoint, token_endpoint, jwks_uri } };
  }
}
