import type { ClipboardEvent, DragEvent } from "react";
import { imageFilesOf } from "@/lib/client/picture-file";

/** The handlers of a form that takes images by paste and by drop, unless a field took them. */
export const pictureDrop = (take: (files: readonly File[]) => void) => ({
  onPaste: (event: ClipboardEvent) => take(imageFilesOf(event.clipboardData)),
  onDragOver: (event: DragEvent) => event.preventDefault(),
  onDrop: (event: DragEvent) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    take([...event.dataTransfer.files]);
  },
});
