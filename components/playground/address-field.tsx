import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { imageAddress, mediaAddress } from "@/lib/contract/media-fields";

interface AddressFieldProps {
  label: string;
  hint: string;
  /** An image, or a video or a sound. */
  isImage: boolean;
  onAdd: (address: string) => void;
}

/** Takes the address of a file on a server. */
export function AddressField({ label, hint, isImage, onAdd }: AddressFieldProps) {
  const t = useTranslations("studio");
  const [draft, setDraft] = useState("");
  const form = isImage ? imageAddress : mediaAddress;
  const isWrong = draft !== "" && !form.safeParse(draft).success;
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
            placeholder={hint}
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
