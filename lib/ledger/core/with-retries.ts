import { isUndone, isUniqueViolation, isValueRefused } from "../../db/database-errors";
import { isRelayError, RelayError } from "../../failures/relay-error";
import { pause } from "../../timing/pause";

const TRIES = 3;

/**
 * Runs `work` up to three times. An error that the database itself raised is final; any other ends
 * as `database_unavailable`. The database may still commit the last attempt; its reference keeps a
 * caller that retries from doing it twice. `mayBeDone`: an earlier attempt may be committed.
 */
export async function withRetries<T>(work: (mayBeDone: boolean) => Promise<T>): Promise<T> {
  let mayBeDone = false;
  for (let tries = 1; ; tries++) {
    try {
      return await work(mayBeDone);
    } catch (error) {
      const isRace = isUniqueViolation(error);
      if (isRelayError(error) || (isValueRefused(error) && !isRace)) throw error;
      if (!isUndone(error)) mayBeDone = true;
      if (tries === TRIES) throw new RelayError("database_unavailable", { cause: error });
      await pause(isRace ? 0 : 200 * tries);
    }
  }
}
