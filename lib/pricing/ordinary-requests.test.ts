import { expect, test } from "vitest";
import { builtInModels as models } from "../catalog/built-in";
import type { Model } from "../catalog/models";
import { firstModelOf } from "../catalog/models";
import { ordinaryRequests } from "./ordinary-requests";
import { typicalUsage } from "./typical";

test.each(models.map((model) => [model.id, model] as [string, Model]))(
  "%s has ordinary requests within its limits, including the typical one",
  (_, model) => {
    const requests = ordinaryRequests(model);
    expect(requests.map(({ usage }) => usage)).toContainEqual(typicalUsage(model));
    for (const { request, usage } of requests) {
      expect(usage.outputTokens).toBeGreaterThan(0);
      if (request.family === "video" && model.family === "video") {
        expect(model.resolutions).toContain(request.resolution);
        expect(request.seconds).toBeLessThanOrEqual(model.durationSecondsMax);
        expect(request.seconds).toBeGreaterThanOrEqual(model.durationSecondsMin);
      }
    }
  },
);

test("a model with lists has each size in each quality once, and each length once", () => {
  const listed = {
    ...firstModelOf("image"),
    sizes: ["512x512", "768x512"],
    sizeDefault: "768x512",
    qualities: ["standard", "high"],
    qualityDefault: "high",
  };
  expect(ordinaryRequests(listed).map(({ usage }) => usage.ordered)).toEqual([
    { size: "768x512", quality: "standard" },
    { size: "768x512", quality: "high" },
    { size: "512x512", quality: "standard" },
    { size: "512x512", quality: "high" },
  ]);
  expect(ordinaryRequests(listed).map(({ usage }) => usage)).toContainEqual(typicalUsage(listed));
  const small = { ...listed, sizes: null, sidePixelsMax: 768, pixelsMax: 400_000, qualities: [] };
  expect(ordinaryRequests(small).map(({ usage }) => usage.ordered?.size)).toEqual(["768x512"]);
  const one = { ...firstModelOf("video"), durations: [8], resolutions: ["480p" as const] };
  const lengths = {
    ...one,
    durationSecondsMin: 8,
    durationSecondsMax: 8,
    durationSecondsDefault: 8,
  };
  expect(ordinaryRequests(lengths)).toHaveLength(1);
});
