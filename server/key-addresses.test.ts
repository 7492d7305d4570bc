/** Keys that may be used from some addresses only, over HTTP through a trusted proxy. */
import { expect, test } from "vitest";
import { changeApiKey } from "@/lib/commands/api-keys";
import { parseTrustedProxies } from "@/lib/net/client-address";
import { serveComposition } from "@/testing/composition/served-composition";
import { opened } from "@/testing/unit/opened";

const composed = await opened(serveComposition(parseTrustedProxies("127.0.0.1")));

async function from(forwarded: string | null, path = "/v1/key") {
  const answer = await fetch(`${composed.origin}${path}`, {
    headers: {
      authorization: `Bearer ${composed.key.secret}`,
      ...(forwarded === null ? {} : { "x-forwarded-for": forwarded }),
    },
  });
  return { status: answer.status, json: await answer.json(), headers: answer.headers };
}

async function allow(...allowedAddresses: string[]) {
  const { id } = composed.key;
  const input = { id, accountId: composed.accountId, allowedAddresses };
  await changeApiKey({ database: composed.database, ledger: composed.tool }, "test", input);
  // The running process hears of it.
  const [known = "192.0.2.1"] = allowedAddresses;
  const heard = async () => (await from(known.replace(/\/.*/, ""))).json.allowed_addresses;
  await expect.poll(heard).toEqual(allowedAddresses);
}

test("a key works from the addresses on its list, and from nowhere else", async () => {
  await allow("203.0.113.0/24", "2001:db8::/32");
  for (const address of ["203.0.113.1", "2001:db8::7", "::ffff:203.0.113.200"])
    expect([address, (await from(address)).status]).toEqual([address, 200]);
  for (const address of ["198.51.100.1", "2001:db9::1"]) {
    const { status, json, headers } = await from(address);
    expect([status, json.error]).toEqual([
      403,
      {
        message: `This API key may not be used from ${address}.`,
        type: "permission_error",
        param: null,
        code: "address_not_allowed",
      },
    ]);
    // A refused address uses up nothing of the key's requests.
    expect(headers.has("x-ratelimit-remaining-requests")).toBe(false);
  }
  expect((await from("203.0.113.1")).json.allowed_addresses).toEqual([
    "203.0.113.0/24",
    "2001:db8::/32",
  ]);
});

test("what a client writes itself before the proxy's address is not believed", async () => {
  await allow("203.0.113.0/24");
  expect((await from("203.0.113.1, 198.51.100.1")).status).toBe(403);
  expect((await from(null)).status).toBe(403);
  expect((await from("203.0.113.1, nonsense")).status).toBe(403);
});

test("the list takes effect at once, and is lifted again", async () => {
  await allow("203.0.113.1");
  expect((await from("198.51.100.1")).status).toBe(403);
  await allow();
  expect((await from("198.51.100.1")).status).toBe(200);
});

test("a lane that does not know the address refuses", async () => {
  await allow("0.0.0.0/0", "::/0");
  const endpoint = composed.relay.find("GET", "/v1/key");
  const answer = await endpoint?.({
    method: "GET",
    path: "/v1/key",
    query: "",
    header: (name) => (name === "authorization" ? `Bearer ${composed.key.secret}` : undefined),
    receive: async () => {},
    onGone() {},
  });
  expect(answer?.status).toBe(403);
  await allow();
});

test.each(["example.com", "10.0.0.0/33", "10.0.0.1/8/8"])("%s is refused by name", async (text) => {
  await expect(allow(text)).rejects.toThrow(`"${text}" is neither an IP address nor a range`);
});
