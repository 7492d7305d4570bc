/**
 * A real OpenID provider, with its own pages for signing in: whoever types a name is that person. Its
 * words: the folder where `oidc-provider` is installed, its port, and the product's address.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, port, product] = process.argv.slice(2);
const file = join(folder, "node_modules/oidc-provider/lib/index.js");
const { Provider } = await import(pathToFileURL(file).href);
const issuer = `http://127.0.0.1:${port}`;
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "relay",
      client_secret: "a secret of the client",
      redirect_uris: [`${product}/api/auth/callback/oidc`],
    },
  ],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
  cookies: { keys: ["a key of the provider"] },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, name: id, email: `${id}@people.example`, email_verified: true }),
  }),
});
provider.listen(Number(port), "127.0.0.1");
