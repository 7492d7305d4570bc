"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { imageAddress } from "@/lib/contract/media-fields";
import { AddressRow } from "./address-row";
import { FILE_MEBIBYTES_MAX, useFile } from "./use-file";

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
  const isWrong = draft !== "" && !imageAddress.safeParse(draft).success;
  const add = (address: string) => {
    if (value.length < max && !value.includes(address) && imageAddress.safeParse(address).success)
      onChange([...value, address]);
    setDraft("");
  };
  const { isFileWrong, read } = useFile(add);
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
          <FromDevice onRead={read} isWrong={isFileWrong} />
        </>
      ) : (
        <p className="font-medium text-sm">{label}</p>
      )}
      {value.map((address, at) => (
        <AddressRow
          key={address}
          address={address}
          number={at + 1}
          onRemove={() => onChange(value.filter((each) => each !== address))}
        />
      ))}
    </div>
  );
}

function FromDevice({
  onRead,
  isWrong,
}: {
  onRead: (file: File | undefined) => void;
  isWrong: boolean;
}) {
  const t = useTranslations("studio");
  return (
    <>
      <label className="w-fit cursor-pointer rounded-sm text-sm underline underline-offset-2 has-focus-visible:outline-2 has-focus-visible:outline-signal">
        {t("fromDevice")}
        <input
          type="file"
          accept="image/*"
          className="sr-only"
          onChange={({ target }) => onRead(target.files?.[0])}
        />
      </label>
      {isWrong ? (
        <p role="alert" className="text-bad text-sm">
          {t("fileWrong", { size: FILE_MEBIBYTES_MAX })}
        </p>
      ) : null}
    </>
  );
}
