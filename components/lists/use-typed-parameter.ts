import { useSearchParams } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { changeAddress, presentParameter } from "./address";

const TYPING_MS = 200;

/** A text that filters a list while it is typed. The URL keeps it as `q`, a moment later. */
export function useTypedParameter(): [text: string, type: (text: string) => void] {
  const kept = useSearchParams().get("q") ?? "";
  const [text, setText] = useState(kept);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Written here, not in the search parameters yet. */
  const written = useRef(new Set<string>());
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // Another text is that of a link or of the back button.
    if (!written.current.delete(kept)) setText(kept);
  }, [kept]);
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const value = next.trim();
      if (value === (presentParameter("q") ?? "")) return;
      written.current.add(value);
      changeAddress({ q: value === "" ? null : value }, "replace");
    }, TYPING_MS);
  };
  return [text, type];
}
