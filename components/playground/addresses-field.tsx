"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { imageAddress } from "@/lib/contract/media-fields";

/** Four files of this size fit into a request. */
const FILE_MEBIBYTES_MAX = 5;

interface AddressesFieldProps {
  label: string;
  max: number;
  value: readonly string[];
  onChange: (addresses: readonly string[]) => void;
}

/**
 * Images by URL or from this device. The page previews only the latter: it never loads images from
 * other servers.
 */
export function AddressesField({ label, max, value, onChange }: AddressesFieldProps) {
  const t = useTranslations("studio");
  const [draft, setDraft] = useState("");
  const [isFileWrong, setIsFileWrong] = useState(false);
  const isWrong = draft !== "" && !imageAddress.safeParse(draft).success;
  const add = (address: string) => {
    if (value.length < max && !value.includes(address) && imageAddress.safeParse(address).success)
      onChange([...value, address]);
    setDraft("");
  };
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
  return (
    <div className="grid gap-2">
      {value.length < max ? (
        <>
          <Field
            label={label}
            hint={t("addressHint", { max })}
            error={isWrong ? t("addressWrong") : undefined}
          >
            {(control) => (
              <div className="flex gap-2">
                <Input
                  {...control}
                  type="url"
                  inputMode="url"
                  value={draft}
                  onChange={(event) => setDraft(event.target.value.trim())}
                  // Leaving the field without the button adds the address too.
                  onBlur={() => isWrong || add(draft)}
                  onKeyDown={(event) => {
                    if (event.key !== "Enter") return;
                    event.preventDefault();
                    if (!isWrong) add(draft);
                  }}
                />
                <Button
                  disabled={draft === "" || isWrong}
                  className="h-10"
                  onClick={() => add(draft)}
                >
                  {t("add")}
                </Button>
              </div>
            )}
          </Field>
          <label className="w-fit cursor-pointer rounded-sm text-sm underline underline-offset-2 has-focus-visible:outline-2 has-focus-visible:outline-signal">
            {t("fromDevice")}
            <input
              type="file"
              accept="image/*"
              className="sr-only"
              onChange={({ target }) => read(target.files?.[0])}
            />
          </label>
          {isFileWrong ? (
            <p role="alert" className="text-bad text-sm">
              {t("fileWrong", { size: FILE_MEBIBYTES_MAX })}
            </p>
          ) : null}
        </>
      ) : (
        <p className="font-medium text-sm">{label}</p>
      )}
      {value.map((address, at) => (
        <div
          key={address}
          className="flex items-center gap-2 rounded-md border px-2 py-1.5 text-sm"
        >
          {address.startsWith("data:") ? (
            // biome-ignore lint/performance/noImgElement: an image from this device, in the page's memory
            <img
              src={address}
              alt={t("picture", { number: at + 1 })}
              className="size-10 rounded-sm object-cover"
            />
          ) : null}
          <span className="min-w-0 flex-1 truncate">
            {address.startsWith("data:") ? t("picture", { number: at + 1 }) : address}
          </span>
          <Button
            look="quiet"
            size="icon"
            aria-label={t("remove", { number: at + 1 })}
            onClick={() => onChange(value.filter((each) => each !== address))}
          >
            <X aria-hidden />
          </Button>
        </div>
      ))}
    </div>
  );
}
