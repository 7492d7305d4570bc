import { useTranslations } from "next-intl";
import { AddressField } from "./address-field";
import { DropZone } from "./drop-zone";
import { FileTile } from "./file-tile";
import { usePictureFiles } from "./picture-files";

interface PicturesFieldProps {
  label: string;
  max: number;
  value: readonly string[];
  onChange: (addresses: readonly string[]) => void;
}

/** Pictures by address or from this device, chosen, dropped or pasted. */
export function PicturesField({ label, max, value, onChange }: PicturesFieldProps) {
  const t = useTranslations("studio");
  const add = (addresses: readonly string[]) =>
    onChange([...new Set([...value, ...addresses])].slice(0, max));
  const { read, onPaste, fault } = usePictureFiles(add);
  return (
    <div className="grid gap-2" onPaste={onPaste}>
      {value.length > 0 ? (
        <ul className="grid grid-cols-4 gap-2">
          {value.map((address, at) => (
            <FileTile
              key={address}
              kind="image"
              address={address}
              number={at + 1}
              onRemove={() => onChange(value.filter((each) => each !== address))}
            />
          ))}
        </ul>
      ) : null}
      {value.length < max ? (
        <>
          <DropZone isMany={max > 1} onFiles={read} />
          <AddressField
            label={label}
            hint={t("addressHint", { max })}
            isImage
            onAdd={(address) => add([address])}
          />
        </>
      ) : null}
      {fault}
    </div>
  );
}
