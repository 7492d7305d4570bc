/** Until then a download has surely begun. */
const DOWNLOAD_MS = 10_000;

/** Gives the browser a text as a file. */
export function download(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  // Some browsers begin the download only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(link.href), DOWNLOAD_MS);
}
