import type { settingsSchema } from "../settings/settings";

/** The rule of a setting that takes effect without a restart. */
export interface LiveSetting {
  /**
   * The environment variable that gives the value when none is set in the database; null when there
   * is none.
   */
  readonly variable: keyof typeof settingsSchema.shape | null;
  readonly fallback: string;
  readonly allowed: string;
  isAllowed(value: string): boolean;
  /** What is wrong with a value that is not allowed, where `allowed` does not show it. */
  problemOf?(value: string): string | null;
}
