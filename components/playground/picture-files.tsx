import { useTranslations } from "next-intl";
import { type ClipboardEvent, type ReactNode, useState } from "react";
import { FILE_MEBIBYTES_MAX, imageFilesOf, pictureOf } from "@/lib/client/picture-file";

/** Reads image files into addresses; the field around them takes those that are pasted, too. */
export function usePictureFiles(onRead: (addresses: readonly string[]) => void) {
  const [isWrong, setIsWrong] = useState(false);
  const read = async (files: readonly File[]) => {
    if (files.length === 0) return;
    const addresses = await Promise.all(files.map(pictureOf));
    setIsWrong(addresses.includes(null));
    onRead(addresses.filter((address) => address !== null));
  };
  return {
    read: (files: readonly File[]) => void read(files),
    onPaste(event: ClipboardEvent) {
      const files = imageFilesOf(event.clipboardData);
      if (files.length === 0) return;
      // The form around it would take them too.
      event.stopPropagation();
      void read(files);
    },
    fault: isWrong ? <FileFault /> : null,
  };
}

function FileFault(): ReactNode {
  const t = useTranslations("studio");
  return (
    <p role="alert" className="text-bad text-sm">
      {t("fileWrong", { size: FILE_MEBIBYTES_MAX })}
    </p>
  );
}
