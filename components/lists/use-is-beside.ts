import { useSyncExternalStore } from "react";

/** Tailwind's `xl`, from which the page makes room for a drawer. */
const WIDE = "(min-width: 80rem)";

function subscribe(listener: () => void) {
  const wide = matchMedia(WIDE);
  wide.addEventListener("change", listener);
  return () => wide.removeEventListener("change", listener);
}

/** Whether a drawer is shown beside the page rather than over it. */
export const useIsBeside = () =>
  useSyncExternalStore(
    subscribe,
    () => matchMedia(WIDE).matches,
    () => false,
  );
