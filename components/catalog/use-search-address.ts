import { useRouter, useSearchParams } from "next/navigation";
import { useEffect, useRef, useTransition } from "react";

const TYPING_MS = 200;

/**
 * Writes what a list is searched by into the page's URL; the server then makes the list anew, from
 * its first page. `isBusy` while it does.
 */
export function useSearchAddress() {
  const router = useRouter();
  const [isBusy, startTransition] = useTransition();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  /** What the URL does not show yet: it changes when the new list is there. */
  const pending = useRef<Record<string, string>>({});
  const shown = useSearchParams();
  useEffect(() => {
    for (const [name, value] of Object.entries(pending.current))
      if ((shown.get(name) ?? "") === value) delete pending.current[name];
  }, [shown]);
  const write = () => {
    const address = new URL(window.location.href);
    for (const [name, value] of Object.entries(pending.current)) {
      if (value === "") address.searchParams.delete(name);
      else address.searchParams.set(name, value);
    }
    address.searchParams.delete("page");
    startTransition(() =>
      router.replace(`${address.pathname}${address.search}`, { scroll: false }),
    );
  };
  /** An empty value removes the parameter. `isTyped`: wait for the end of a word. */
  const change = (name: string, value: string, isTyped = false) => {
    pending.current[name] = value;
    clearTimeout(timer.current);
    if (isTyped) timer.current = setTimeout(write, TYPING_MS);
    else write();
  };
  return { change, isBusy };
}
