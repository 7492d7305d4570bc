import { useTranslations } from "next-intl";

interface KeepsKeysProps {
  /** The group of messages, which names whose they are. */
  texts: "members" | "managementKeys";
  keys: number;
  keepsKeys: boolean;
  onChange: (keepsKeys: boolean) => void;
}

/** Whether what a member or a management key made keeps working; only if there is anything. */
export function KeepsKeys({ texts, keys, keepsKeys, onChange }: KeepsKeysProps) {
  const t = useTranslations(texts);
  if (keys === 0) return null;
  return (
    <label className="flex items-baseline gap-2.5 py-1">
      <input
        type="checkbox"
        className="size-4 translate-y-0.5 accent-(--ink)"
        checked={keepsKeys}
        onChange={() => onChange(!keepsKeys)}
      />
      <span className="flex-1">
        {t("keepsKeys", { count: keys })}
        <span className="block text-muted text-sm">{t("keepsKeysNote")}</span>
      </span>
    </label>
  );
}
