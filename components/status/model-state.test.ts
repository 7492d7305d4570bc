import { expect, test } from "vitest";
import type { ModelFigures } from "@/lib/contract/model-figures";
import { modelNow } from "./model-state";

const figures = (recent: number | null): ModelFigures => ({
  model: "m",
  success: 1,
  availability: 1,
  recent,
  usualMs: 1,
  firstTokenMs: null,
  slots: [],
});
const incident = (models: string[], resolvedAt: string | null = null) => ({
  id: "inc_1",
  titleEn: "t",
  titleZh: null,
  models,
  beganAt: "2026-11-20T10:00:00Z",
  resolvedAt,
  updates: [],
});

test.each([
  ["works", "channel", undefined, []],
  ["works", "sandbox", figures(0.9), []],
  [
    "works",
    "channel",
    figures(null),
    [incident(["other"]), incident(["m"], "2026-11-21T00:00:00Z")],
  ],
  ["fails", "channel", figures(0.89), []],
  ["concerned", "channel", figures(0.1), [incident(["m"])]],
  ["concerned", "channel", figures(1), [incident([])]],
  ["unserved", "nobody", figures(1), [incident(["m"])]],
] as const)("%s", (now, servedBy, own, incidents) => {
  expect(modelNow("m", servedBy, own, incidents)).toBe(now);
});
