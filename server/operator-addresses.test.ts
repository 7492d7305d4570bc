/** Operator keys obey the operators' networks, over HTTP through a trusted proxy. */
import { expect, test } from "vitest";
import { parseTrustedProxies } from "@/lib/net/client-address";
import { newManager } from "@/testing/composition/managers";
import { newOperator, newOperatorKey } from "@/testing/composition/operators";
import { serveComposition } from "@/testing/composition/served-composition";
import { opened } from "@/testing/unit/opened";

process.env.RELAY_OPERATOR_ADDRESSES = "203.0.113.0/24, 2001:db8::/32";
const composed = await opened(serveComposition(parseTrustedProxies("127.0.0.1")));
const { secret } = await newOperatorKey(composed, await newOperator(composed));

async function from(forwarded: string | null, path = "/v1/admin/accounts", key = secret) {
  const answer = await fetch(`${composed.origin}${path}`, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(forwarded === null ? {} : { "x-forwarded-for": forwarded }),
    },
  });
  const { error } = await answer.json();
  return [answer.status, error?.code ?? "done"];
}

test("an operator key works from the operators' networks, and from nowhere else", async () => {
  for (const address of ["203.0.113.7", "2001:db8::9", "::ffff:203.0.113.7"])
    expect([address, ...(await from(address))]).toEqual([address, 200, "done"]);
  for (const address of ["198.51.100.7", "2001:db9::1", "203.0.113.7, 198.51.100.7", null])
    for (const path of ["/v1/admin/accounts", "/v1/admin/openapi.json"])
      expect([address, ...(await from(address, path))]).toEqual([
        address,
        403,
        "address_not_allowed",
      ]);
});

test("other keys are not bound to the operators' networks", async () => {
  const manager = await newManager(composed, composed.accountId);
  expect(await from("198.51.100.7", "/v1/keys", manager.secret)).toEqual([200, "done"]);
  expect(await from("198.51.100.7", "/v1/key", composed.key.secret)).toEqual([200, "done"]);
});
