import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { changeAddress } from "@/components/lists/address";
import { useKeys } from "@/lib/client/api-keys";
import { useMay } from "@/lib/client/shown-account";

/**
 * Whether the dialog that creates a key is open: by a button of the page, or by the page's URL. It
 * starts with the limits that have come with the keys, so a URL opens it after they are loaded.
 */
export function useCreation() {
  const [isBegun, setIsBegun] = useState(false);
  const isLinked = useSearchParams().get("new") === "key";
  const isLoaded = useKeys().data !== undefined;
  const mayCreate = useMay("makeKeys");
  const onClose = () => {
    setIsBegun(false);
    if (isLinked) changeAddress({ new: null }, "replace");
  };
  const isOpen = isBegun || (isLinked && isLoaded && mayCreate);
  return { start: () => setIsBegun(true), dialog: { isOpen, onClose } };
}
