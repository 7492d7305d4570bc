/**
 * The effective settings: the value an operator set in the database, else the environment's, else
 * the default.
 */

import { type LiveSettingName, liveSettingNames } from "../contract/setting-names";
import type { Settings } from "../settings/settings";
import { liveSettings } from "./setting-list";

type SettingSource = "here" | "environment" | "default";

/** The values in the database, by name. */
export type StoredValues = ReadonlyMap<string, unknown>;

export interface EffectiveSetting {
  readonly name: LiveSettingName;
  readonly value: string;
  readonly source: SettingSource;
  /** The value that would apply if none were set in the database. */
  readonly otherwise: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

function effective(
  name: LiveSettingName,
  stored: StoredValues,
  environment: Environment,
): EffectiveSetting {
  const { variable, fallback, isAllowed } = liveSettings[name];
  const given = variable === null ? undefined : environment[variable];
  const isGiven = given !== undefined && given !== "";
  const otherwise = isGiven ? given : fallback;
  const set = stored.get(name);
  // A row with an invalid value, such as a manual change, is ignored.
  if (typeof set === "string" && isAllowed(set))
    return { name, value: set, source: "here", otherwise };
  return { name, value: otherwise, source: isGiven ? "environment" : "default", otherwise };
}

export const effectiveSettings = (
  stored: StoredValues,
  environment: Environment,
  names: readonly LiveSettingName[] = liveSettingNames,
): EffectiveSetting[] => names.map((name) => effective(name, stored, environment));

/** The environment's settings, some of which are read from the database each time. */
export function withLive(settings: Settings, value: (name: LiveSettingName) => string): Settings {
  return Object.defineProperties(
    { ...settings },
    {
      RELAY_SIGNUP: { enumerable: true, get: () => value("sign_up") },
      RELAY_WELCOME_POINTS: { enumerable: true, get: () => value("welcome_points") },
      RELAY_WELCOME_PER_ADDRESS: { enumerable: true, get: () => value("welcome_per_address") },
      RELAY_WELCOME_PER_DOMAIN: { enumerable: true, get: () => value("welcome_per_domain") },
      RELAY_SECOND_FACTOR: { enumerable: true, get: () => value("second_factor") },
      RELAY_WELCOME_VERIFIED: { enumerable: true, get: () => value("welcome_verified") },
    },
  );
}
