import { describe, expect, it } from "vitest";
import { type ApiKeyView, changeKeyRequest, createKeyRequest } from "@/lib/contract/api-keys";
import { emptyLimits, type LimitsInput, limitsBody, limitsOf, problemsOf } from "./limits-form";

const now = Date.parse("2026-11-21T12:00:00.000Z");
const filled: LimitsInput = { ...emptyLimits, name: " production " };

const blamed = (change: Partial<LimitsInput>, isModelChoiceOpen = false) =>
  problemsOf({ ...filled, ...change }, isModelChoiceOpen, now).map(({ field }) => field);

describe("the form of a key's limits", () => {
  it("sends a body that the API accepts", () => {
    const body = limitsBody({ ...filled, budget: "12.5", models: ["RelayV1"], expiry: "30" }, now);
    expect(createKeyRequest.parse(body)).toEqual({
      name: "production",
      requestsPerMinute: 60,
      budget: "12.5",
      models: ["RelayV1"],
      expiresAt: "2026-12-21T12:00:00.000Z",
      hourlySpendMax: null,
      allowedAddresses: [],
      budgetDay: null,
      budgetWeek: null,
      budgetMonth: null,
      budgetZone: "UTC",
      concurrentMax: null,
      tokensPerMinute: null,
    });
  });

  it("sends null where there is no limit", () => {
    expect(limitsBody(filled, now)).toMatchObject({ budget: null, models: [], expiresAt: null });
  });

  it("names the field that is wrong", () => {
    expect(blamed({})).toEqual([]);
    expect(blamed({ name: "  " })).toEqual(["name"]);
    for (const rate of ["0", "6001", "1.5", "", "-1", "1e2"])
      expect(blamed({ requestsPerMinute: rate })).toEqual(["requestsPerMinute"]);
    for (const budget of ["0", "-1", "abc", "1.1234567"]) {
      expect(blamed({ budget })).toEqual(["budget"]);
      expect(blamed({ hourlySpendMax: budget })).toEqual(["hourlySpendMax"]);
      expect(blamed({ budgetMonth: budget })).toEqual(["budgetMonth"]);
    }
    for (const count of ["0", "-1", "1.5", "x", "1234567890"])
      expect(blamed({ concurrentMax: count })).toEqual(["concurrentMax"]);
    expect(blamed({}, true)).toEqual(["models"]);
    expect(blamed({ expiry: "date", expiryDate: "" })).toEqual(["expiryDate"]);
    expect(blamed({ expiry: "date", expiryDate: "2026-11-19" })).toEqual(["expiryDate"]);
  });

  it("restores the limits of a key", () => {
    const key: ApiKeyView = {
      id: "key_1",
      name: "production",
      maker: null,
      hint: "sk-rly-abcde…wxyz",
      status: "active",
      createdAt: "2026-11-01T00:00:00.000Z",
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
      requestsPerMinute: 600,
      budget: "500.000000",
      hourlySpendMax: "20.500000",
      pausedSpend: null,
      models: ["RelayV1"],
      allowedAddresses: ["203.0.113.0/24", "2001:db8::1"],
      budgets: [
        {
          period: "week",
          budget: "40.500000",
          spent: "37.000000",
          held: "0.500000",
          left: "3.000000",
          zone: "Europe/Berlin",
          renewsAt: "2026-11-23T00:00:00.000Z",
        },
      ],
      budgetZone: "Europe/Berlin",
      concurrentMax: 3,
      concurrentNow: 0,
      tokensPerMinute: null,
      tokensLeft: null,
      spent: "0.000000",
      spent30Days: "0.000000",
      spentByDay: [],
    };
    const body = limitsBody(limitsOf(key), now);
    expect(changeKeyRequest.parse(body)).toMatchObject({
      requestsPerMinute: 600,
      budget: "500",
      hourlySpendMax: "20.5",
      models: ["RelayV1"],
      allowedAddresses: ["203.0.113.0/24", "2001:db8::1"],
      budgetDay: null,
      budgetWeek: "40.5",
      budgetZone: "Europe/Berlin",
      concurrentMax: 3,
      tokensPerMinute: null,
      expiresAt: null,
    });
  });
});
