import { useTranslations } from "next-intl";
import { useState } from "react";

/** The check that a person signs up: `pass` at the submit, and `share` for what is shown meanwhile. */
export function useHumanCheck() {
  const [share, setShare] = useState<number | null>(null);
  const pass = async () => {
    // Loaded on submit: most installations want no check.
    const { passHumanCheck } = await import("@/lib/client/human-check");
    return passHumanCheck(setShare).finally(() => setShare(null));
  };
  return { share, pass };
}

export function HumanCheckStatus({ share }: { share: number | null }) {
  const t = useTranslations("auth");
  return (
    <div role="status">
      {share === null ? null : (
        <p className="mt-2.5 grid gap-1.5 text-muted text-sm">
          {t("humanCheck")}
          <progress
            aria-label={t("humanCheckProgress")}
            value={share}
            className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-signal [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-signal"
          />
        </p>
      )}
    </div>
  );
}
