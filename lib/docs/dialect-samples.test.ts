import { expect, test } from "vitest";
import { dialects } from "../contract/states";
import { dialectSamples } from "./dialect-samples";

const place = { origin: "https://relay.example", baseUrl: "https://relay.example/v1" };

test("every API that reaches the models has a short call with this installation's address", () => {
  const samples = dialectSamples(place);
  expect(samples.map(({ name }) => name).sort()).toEqual(["chat", "images", ...dialects].sort());
  for (const { path, code } of samples) {
    expect(code).toContain(`https://relay.example${path}`);
    expect(code).toContain("Bearer $RELAY_API_KEY");
    expect(code.split("\n").length).toBeLessThanOrEqual(14);
  }
});
