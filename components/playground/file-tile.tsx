import { AudioLines, Clapperboard, Link2, X } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReferenceKind } from "@/lib/client/video-settings";

interface FileTileProps {
  kind: ReferenceKind;
  address: string;
  /** Its place among those of its kind, from 1. */
  number: number;
  /** Whether the tile says of what kind it is. */
  hasKind?: boolean;
  onRemove: () => void;
}

const icons = { image: Link2, video: Clapperboard, audio: AudioLines };

/**
 * A file of an order. One of this device is shown; others are never loaded from their servers by
 * the page.
 */
export function FileTile({ kind, address, number, hasKind = false, onRemove }: FileTileProps) {
  const t = useTranslations("studio");
  const isHere = address.startsWith("data:");
  const Icon = icons[kind];
  return (
    <li className="group relative aspect-square overflow-hidden rounded-md border bg-wash">
      {isHere ? (
        // biome-ignore lint/performance/noImgElement: a picture of this device, in the page's memory
        <img src={address} alt={t("picture", { number })} className="size-full object-cover" />
      ) : (
        <span
          title={address}
          className="grid size-full place-content-center justify-items-center gap-1 p-1.5 text-muted"
        >
          <Icon aria-hidden className="size-4" />
          <span className="line-clamp-2 break-all text-center text-[0.625rem] leading-tight">
            {address.replace(/^https?:\/\//, "")}
          </span>
        </span>
      )}
      {hasKind ? (
        <span className="absolute inset-x-0 bottom-0 bg-scrim px-1 py-px text-center text-[0.6875rem] text-on-scrim">
          {t(`kindsOne.${kind}`)}
        </span>
      ) : null}
      <button
        type="button"
        aria-label={t(kind === "image" ? "remove" : `removeFile.${kind}`, { number })}
        onClick={onRemove}
        className="absolute top-1 right-1 grid size-6 place-items-center rounded-full bg-scrim text-on-scrim"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </li>
  );
}
