import { expect, test } from "vitest";
import { liveSettingNames } from "@/lib/contract/setting-names";
import { hasWords, settingGroups } from "./setting-groups";

test("every setting is in one group, so the page shows each once", () => {
  const grouped: string[] = Object.values(settingGroups).flat();
  expect(grouped.toSorted()).toEqual([...liveSettingNames].sort());
});

test("a search finds what has all of its words, whatever their case and order", () => {
  const text = "Budget of a new key key_budget";
  for (const search of ["", "budget", "NEW budget", "key_bud", " key  new "])
    expect(hasWords(text, search), search).toBe(true);
  expect(hasWords(text, "budget old")).toBe(false);
});
