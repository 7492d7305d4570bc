/** Whether a user has hidden the first steps in this browser. */
import { keepText, useKeptText } from "./browser-keeps";

const HIDDEN = "hidden";

export function useHiddenSteps(userId: string): { isHidden: boolean; hide: () => void } {
  const name = `relay.steps.${userId}`;
  return { isHidden: useKeptText(name, HIDDEN) === HIDDEN, hide: () => keepText(name, HIDDEN) };
}
