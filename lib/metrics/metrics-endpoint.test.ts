import { expect, test } from "vitest";
import { metricsEndpoint } from "./metrics-endpoint";

test("with a token configured, only the token grants access, from this machine too", async () => {
  const endpoint = metricsEndpoint("a-token", async () => "figures");
  const from = (address: string, authorization?: string) =>
    endpoint({
      method: "GET",
      path: "/metrics",
      query: "",
      address,
      header: (name) => (name === "authorization" ? authorization : undefined),
      receive: async () => {},
      onGone: () => {},
    });
  expect(await from("203.0.113.9", "Bearer a-token")).toMatchObject({
    status: 200,
    body: "figures",
  });
  for (const wrong of [
    undefined,
    "Bearer",
    "Bearer a-toke",
    "Bearer a-token ",
    "a-token",
    "Basic a-token",
  ]) {
    expect((await from("127.0.0.1", wrong)).status, wrong).toBe(401);
  }
});
