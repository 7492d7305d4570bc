import { useId, useLayoutEffect, useSyncExternalStore } from "react";

const shown = new Map<string, string[]>();
const listeners = new Set<() => void>();

function change(what: string, next: (ids: string[]) => string[]): void {
  shown.set(what, next(shown.get(what) ?? []));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Whether this component is the first on the page to show `what`; null is always first. */
export function useIsFirst(what: string | null): boolean {
  const id = useId();
  useLayoutEffect(() => {
    if (what === null) return;
    change(what, (ids) => [...ids, id]);
    return () => change(what, (ids) => ids.filter((each) => each !== id));
  }, [what, id]);
  const first = () => (what === null ? id : (shown.get(what)?.[0] ?? id));
  return useSyncExternalStore(subscribe, first, () => id) === id;
}
