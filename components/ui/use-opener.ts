import { useInsertionEffect, useRef } from "react";

/** The focused element. For a menu item, which disappears with its menu, the menu's button. */
function focusedNow(): HTMLElement | null {
  const menu = document.activeElement?.closest("[role=menu]");
  const button = document.getElementById(menu?.getAttribute("aria-labelledby") ?? "");
  const element = button ?? document.activeElement;
  return element instanceof HTMLElement ? element : null;
}

/** Returns the focus to where it was before a dialog opened, or to the page's content. */
export function useOpener(isOpen: boolean): () => void {
  const opener = useRef<HTMLElement | null>(null);
  // Before anything inside the dialog can take the focus.
  useInsertionEffect(() => {
    if (isOpen) opener.current = focusedNow();
  }, [isOpen]);
  return () => {
    const before = opener.current;
    const isThere = before?.isConnected && before !== document.body;
    const target = isThere ? before : document.getElementById("content");
    target?.focus({ preventScroll: !isThere });
  };
}
