import { expect, test } from "vitest";
import { builtInModels as models } from "../catalog/built-in";
import type { Model } from "../catalog/models";
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
