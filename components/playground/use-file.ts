"use client";

import { useState } from "react";
import { imageAddress } from "@/lib/contract/media-fields";

/** Four files of this size fit into a request. */
export const FILE_MEBIBYTES_MAX = 5;

/** Reads an image from this device as a data URL; refuses files that are too large or no image. */
export function useFile(add: (address: string) => void) {
  const [isFileWrong, setIsFileWrong] = useState(false);
  const read = (file: File | undefined) => {
    if (!file) return;
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      const address = String(reader.result);
      const isFine =
        file.size <= FILE_MEBIBYTES_MAX * 1024 * 1024 && imageAddress.safeParse(address).success;
      setIsFileWrong(!isFine);
      if (isFine) add(address);
    });
    reader.readAsDataURL(file);
  };
  return { isFileWrong, read };
}
