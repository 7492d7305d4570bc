import { useEffect } from "react";

/** Escape, unless it closes a dialog. */
export function useEscape(isOn: boolean, act: () => void) {
  useEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !document.querySelector("[role=dialog]")) act();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [isOn, act]);
}
