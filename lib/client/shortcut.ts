/** The keyboard shortcuts of the signed-in pages. */
export type Shortcut =
  | { do: "palette" | "search" | "shortcuts" }
  | { do: "go"; letter: string }
  | { do: "wait" }
  | null;

export interface KeyPress {
  key: string;
  hasCommand: boolean;
  hasAlt: boolean;
  /** True while the user types or a dialog is open. */
  isBusy: boolean;
}

/**
 * Maps a key to its shortcut. `isAfterG`: the previous key was `g`. Ctrl or Cmd with K works
 * everywhere, the others not while typing.
 */
export function readShortcut(
  { key, hasCommand, hasAlt, isBusy }: KeyPress,
  isAfterG: boolean,
): Shortcut {
  if (hasCommand && !hasAlt && key.toLowerCase() === "k") return { do: "palette" };
  if (hasCommand || hasAlt || isBusy) return null;
  if (isAfterG && /^[a-z]$/.test(key)) return { do: "go", letter: key };
  if (key === "g") return { do: "wait" };
  if (key === "/") return { do: "search" };
  return key === "?" ? { do: "shortcuts" } : null;
}
