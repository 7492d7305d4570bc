import { findModel } from "@/lib/catalog/models";
import { type ChartGrouping, type Family, families } from "@/lib/contract/states";

export const familyColours: Record<Family, string> = {
  text: "var(--text)",
  image: "var(--image)",
  video: "var(--video)",
};
const OTHERS = "var(--line-strong)";
/** The share of the colour in each tint of it, in percent. */
const tints = [100, 72, 52, 36, 24, 15];

/** The `place`-th tint of a colour, in both themes. */
export function tintOf(colour: string, place: number): string {
  const share = tints[Math.min(place, tints.length - 1)] ?? 100;
  return share === 100 ? colour : `color-mix(in oklab, ${colour} ${share}%, var(--card))`;
}

function colourOf(group: ChartGrouping, id: string): string {
  if (group === "key" || group === "tag") return "var(--ink)";
  const family = group === "model" ? findModel(id)?.family : families.find((name) => name === id);
  return family ? familyColours[family] : "var(--ink)";
}

/** A colour for each series: models are tints of their family's colour, keys are tints of ink. */
export function seriesColours(group: ChartGrouping, ids: readonly (string | null)[]): string[] {
  const used = new Map<string, number>();
  return ids.map((id) => {
    if (id === null) return OTHERS;
    const colour = colourOf(group, id);
    const place = used.get(colour) ?? 0;
    used.set(colour, place + 1);
    return tintOf(colour, place);
  });
}
