/**
 * The tier at which text is served, and by which rates may be selected: the value of each field that
 * chooses it, joined by colons, such as `flex` or `fast:us`; `default` for none. This file imports nothing.
 */
const tierFields = ["service_tier", "speed", "inference_geo"] as const;
type TierField = (typeof tierFields)[number];
export type TierParts = { readonly [Field in TierField]?: string };

export const tierName = (parts: TierParts): string =>
  tierFields.flatMap((field) => parts[field] ?? []).join(":") || "default";

/** The tiers at which an order may be served: an upstream may grant only some of what was asked. */
export function tiersWithin(parts: TierParts): string[] {
  let names: readonly TierParts[] = [{}];
  for (const field of tierFields) {
    const value = parts[field];
    if (value !== undefined) names = names.flatMap((name) => [name, { ...name, [field]: value }]);
  }
  return names.map(tierName);
}

/** What a usage report or an answer says of the tier. */
export const reportedTier = (report: { readonly [name: string]: unknown }): TierParts =>
  Object.fromEntries(
    tierFields.flatMap((field) => {
      const value = report[field];
      return typeof value === "string" ? [[field, value] as const] : [];
    }),
  );

/** The tier that is billed: of what was asked, what the upstream granted or says nothing of. */
export const servedTier = (asked: TierParts, reported: TierParts = {}): string =>
  tierName(
    Object.fromEntries(
      tierFields.flatMap((field) => {
        const [value, served] = [asked[field], reported[field]];
        return value !== undefined && (served ?? value) === value ? [[field, value]] : [];
      }),
    ),
  );
