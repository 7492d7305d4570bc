"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { later } from "@/components/ui/later";
import { readShortcut } from "@/lib/client/shortcut";
import { useRole } from "@/lib/client/shown-account";
import { pagesFor } from "./pages";
import { showOverlay, useOverlay } from "./palette-state";

const CommandPalette = later(
  () => import("./command-palette").then((module) => module.CommandPalette),
  { isDialog: true },
);
const ShortcutList = later(() => import("./shortcut-list").then((module) => module.ShortcutList), {
  isDialog: true,
});

/** How long after `g` a letter is accepted. */
const SEQUENCE_MS = 1500;

function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector("[role=dialog]")) return true;
  return (
    target instanceof HTMLElement &&
    target.closest("input, textarea, select, [contenteditable], [role=menu]") !== null
  );
}

/** Goes to the page's own search field; false where it has none. */
function focusSearch(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>("main input[type=search]");
  const shown = [...fields].find((field) => field.checkVisibility());
  shown?.focus();
  shown?.select();
  return shown !== undefined;
}

/**
 * The keyboard shortcuts of the signed-in pages, and the dialogs that they open, each loaded on
 * first use.
 */
export function Shortcuts() {
  const router = useRouter();
  const overlay = useOverlay();
  const role = useRole();
  useEffect(() => {
    let pressedG = 0;
    const press = (event: KeyboardEvent) => {
      if (event.isComposing || event.repeat) return;
      const { key, target, ctrlKey, metaKey, altKey } = event;
      const isAfterG = Date.now() - pressedG < SEQUENCE_MS;
      pressedG = 0;
      const shortcut = readShortcut(
        { key, hasCommand: ctrlKey || metaKey, hasAlt: altKey, isBusy: isBusy(target) },
        isAfterG,
      );
      if (shortcut === null) return;
      if (shortcut.do === "wait") pressedG = Date.now();
      else if (shortcut.do === "go") {
        const page = pagesFor(role).find(({ letter }) => letter === shortcut.letter);
        if (page) router.push(page.href);
      } else {
        event.preventDefault();
        if (shortcut.do === "search" && focusSearch()) return;
        showOverlay(shortcut.do === "search" ? "palette" : shortcut.do);
      }
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [router, role]);
  if (overlay === "palette") return <CommandPalette onClose={() => showOverlay(null)} />;
  if (overlay === "shortcuts") return <ShortcutList onClose={() => showOverlay(null)} />;
  return null;
}
