"use client";

import { ImagePlus, Link2, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { FILE_MEBIBYTES_MAX, imageFilesOf, pictureOf } from "@/lib/client/picture-file";
import { imageAddress } from "@/lib/contract/media-fields";

interface PicturesFieldProps {
  label: string;
  max: number;
  value: readonly string[];
  onChange: (addresses: readonly string[]) => void;
}

/**
 * Pictures by address or from this device, chosen, dropped or pasted. Those of this device are shown;
 * others are never loaded from their servers by the page.
 */
export function PicturesField({ label, max, value, onChange }: PicturesFieldProps) {
  const t = useTranslations("studio");
  const [isFileWrong, setIsFileWrong] = useState(false);
  const add = (addresses: readonly string[]) =>
    onChange([...new Set([...value, ...addresses])].slice(0, max));
  const read = async (files: readonly File[]) => {
    if (files.length === 0) return;
    const read = await Promise.all(files.map(pictureOf));
    setIsFileWrong(read.includes(null));
    add(read.filter((address) => address !== null));
  };
  return (
    <div
      className="grid gap-2"
      onPaste={(event) => {
        const files = imageFilesOf(event.clipboardData);
        if (files.length === 0) return;
        // The form around it would take them too.
        event.stopPropagation();
        void read(files);
      }}
    >
      {value.length > 0 ? (
        <ul className="grid grid-cols-4 gap-2">
          {value.map((address, at) => (
            <Picture
              key={address}
              address={address}
              number={at + 1}
              onRemove={() => onChange(value.filter((each) => each !== address))}
            />
          ))}
        </ul>
      ) : null}
      {value.length < max ? (
        <>
          <DropZone isMany={max > 1} onFiles={(files) => void read(files)} />
          <AddressField label={label} max={max} onAdd={(address) => add([address])} />
        </>
      ) : null}
      {isFileWrong ? (
        <p role="alert" className="text-bad text-sm">
          {t("fileWrong", { size: FILE_MEBIBYTES_MAX })}
        </p>
      ) : null}
    </div>
  );
}

function DropZone({ isMany, onFiles }: { isMany: boolean; onFiles: (files: File[]) => void }) {
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

function AddressField({
  label,
  max,
  onAdd,
}: {
  label: string;
  max: number;
  onAdd: (address: string) => void;
}) {
  const t = useTranslations("studio");
  const [draft, setDraft] = useState("");
  const isWrong = draft !== "" && !imageAddress.safeParse(draft).success;
  const add = () => {
    if (draft === "" || isWrong) return;
    onAdd(draft);
    setDraft("");
  };
  return (
    <Field
      label={<span className="sr-only">{label}</span>}
      error={isWrong ? t("addressWrong") : undefined}
    >
      {(control) => (
        <div className="-mt-1.5 flex gap-2">
          <Input
            {...control}
            type="url"
            inputMode="url"
            placeholder={t("addressHint", { max })}
            value={draft}
            onChange={(event) => setDraft(event.target.value.trim())}
            // Leaving the field adds the address too, as the button does.
            onBlur={add}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              add();
            }}
          />
          <Button disabled={draft === "" || isWrong} className="h-10" onClick={add}>
            {t("add")}
          </Button>
        </div>
      )}
    </Field>
  );
}

function Picture({
  address,
  number,
  onRemove,
}: {
  address: string;
  number: number;
  onRemove: () => void;
}) {
  const t = useTranslations("studio");
  const isHere = address.startsWith("data:");
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
          <Link2 aria-hidden className="size-4" />
          <span className="line-clamp-2 break-all text-center text-[0.625rem] leading-tight">
            {address.replace(/^https?:\/\//, "")}
          </span>
        </span>
      )}
      <button
        type="button"
        aria-label={t("remove", { number })}
        onClick={onRemove}
        className="absolute top-1 right-1 grid size-6 place-items-center rounded-full bg-scrim text-on-scrim"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </li>
  );
}
