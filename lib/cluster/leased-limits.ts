/** The limits of this machine's workers, over the connection to the primary process. */
import { LeasedWindows } from "../limits/leased-windows";
import type { ClusterLink } from "./link";

export function openLeasedWindows(link: ClusterLink): LeasedWindows {
  const windows = new LeasedWindows((message) => void link.tell({ kind: "limits", ...message }));
  link.on("granted", ({ grants }) => windows.granted(grants));
  link.on("recall", ({ names }) => windows.recall(names));
  return windows;
}
