/** What is in force: as an operator set it here, else as the environment has it, else the default. */

import { type LiveSettingName, liveSettingNames } from "../contract/states";
import type { Settings } from "../settings";
import { liveSettings } from "./setting-list";

export type SettingSource = "here" | "environment" | "default";

/** What was set here, by name. */
export type SetHere = ReadonlyMap<string, unknown>;

export interface EffectiveSetting {
  readonly name: LiveSettingName;
  readonly value: string;
  readonly source: SettingSource;
  /** What would be in force if it were not set here. */
  readonly otherwise: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

function effective(name: LiveSettingName, here: SetHere, environment: Environment): EffectiveSetting {
  const { variable, fallback, isAllowed } = liveSettings[name];
  const given = variable === null ? undefined : environment[variable];
  const isGiven = given !== undefined && given !== "";
  const otherwise = isGiven ? given : fallback;
  const set = here.get(name);
  // A row that cannot be right, such as one written by hand, counts as none.
  if (typeof set === "string" && isAllowed(set)) return { name, value: set, source: "here", otherwise };
  return { name, value: otherwise, source: isGiven ? "environment" : "default", otherwise };
}

export const effectiveSettings = (here: SetHere, environment: Environment): EffectiveSetting[] =>
  liveSettingNames.map((name) => effective(name, here, environment));

/** The environment's settings, of which some are read anew each time. */
export function withLive(settings: Settings, value: (name: LiveSettingName) => string): Settings {
  return Object.defineProperties(
    { ...settings },
    {
      RELAY_SIGNUP: { enumerable: true, get: () => value("sign_up") },
      RELAY_WELCOME_POINTS: { enumerable: true, get: () => value("welcome_points") },
      RELAY_WELCOME_PER_ADDRESS: { enumerable: true, get: () => value("welcome_per_address") },
      RELAY_WELCOME_PER_DOMAIN: { enumerable: true, get: () => value("welcome_per_domain") },
      RELAY_WELCOME_VERIFIED: { enumerable: true, get: () => value("welcome_verified") },
    },
  );
}
