import { ImagePlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { cn } from "@/components/ui/class-names";

interface DropZoneProps {
  isMany: boolean;
  onFiles: (files: File[]) => void;
}

/** Takes image files by drop and by choice. */
export function DropZone({ isMany, onFiles }: DropZoneProps) {
  const t = useTranslations("studio");
  const [isOver, setIsOver] = useState(false);
  return (
    <label
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
      className={cn(
        "grid cursor-pointer justify-items-center gap-1 rounded-md border border-control border-dashed bg-wash px-3 py-3 text-center text-muted text-sm hover:text-ink has-focus-visible:outline-2 has-focus-visible:outline-signal",
        isOver && "border-signal bg-signal-wash text-ink",
      )}
    >
      <ImagePlus aria-hidden className="size-4" />
      {t("drop")}
      <input
        type="file"
        accept="image/*"
        aria-label={t("fromDevice")}
        multiple={isMany}
        className="sr-only"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // The same file can be chosen again after it was removed.
          target.value = "";
        }}
      />
    </label>
  );
}
