import { sharedValue } from "@/lib/client/shared-value";

type Overlay = "palette" | "shortcuts" | null;

const open = sharedValue<Overlay>(null);

/**
 * Opens the command palette or the list of shortcuts from anywhere on the page; null closes both.
 */
export const showOverlay = open.set;
export const useOverlay = open.use;
