"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";

export function AddressRow({
  address,
  number,
  onRemove,
}: {
  address: string;
  number: number;
  onRemove: () => void;
}) {
  const t = useTranslations("studio");
  return (
    <div className="flex items-center gap-2 rounded-md border px-2 py-1.5 text-sm">
      {address.startsWith("data:") ? (
        // biome-ignore lint/performance/noImgElement: an image from this device, in the page's memory
        <img
          src={address}
          alt={t("picture", { number: number })}
          className="size-10 rounded-sm object-cover"
        />
      ) : null}
      <span className="min-w-0 flex-1 truncate">
        {address.startsWith("data:") ? t("picture", { number: number }) : address}
      </span>
      <Button
        look="quiet"
        size="icon"
        aria-label={t("remove", { number: number })}
        onClick={onRemove}
      >
        <X aria-hidden />
      </Button>
    </div>
  );
}
