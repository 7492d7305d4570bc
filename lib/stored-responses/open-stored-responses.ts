/** Opens the store of responses, and removes what is too old in the background. */
import { isOutage } from "../db/database-errors";
import {
  createStoredResponses,
  type StoredResponses,
  type StoredResponsesDeps,
} from "./stored-responses";

const REMOVE_EVERY_MS = 600_000;

export interface OpenStoredResponses {
  readonly responses: StoredResponses;
  close(): Promise<void>;
}

export function openStoredResponses(
  deps: StoredResponsesDeps,
  reportProblem: (error: unknown) => void,
): OpenStoredResponses {
  const responses = createStoredResponses(deps);
  let removing: Promise<unknown> = Promise.resolve();
  const remove = () => {
    removing = removing
      .then(() => responses.removeExpired())
      .catch((error: unknown) => isOutage(error) || reportProblem(error));
  };
  const timer = setInterval(remove, REMOVE_EVERY_MS);
  timer.unref();
  remove();
  return {
    responses,
    async close() {
      clearInterval(timer);
      await removing;
    },
  };
}
