import { useTranslations } from "next-intl";
import { CodeSamples } from "@/components/ui/code-samples";
import { Pill } from "@/components/ui/pill";
import { ShownOnce } from "@/components/ui/shown-once";
import { chatSamples } from "@/lib/client/samples";

interface KeyRevealProps {
  secret: string;
  baseUrl: string;
  onSaved: () => void;
}

/** Shows a new key, the only time it is shown, with a sample call that uses it. */
export function KeyReveal({ secret, baseUrl, onSaved }: KeyRevealProps) {
  const t = useTranslations("keys.reveal");
  return (
    <ShownOnce label={t("yourKey")} secret={secret} saved={t("saved")} onSaved={onSaved}>
      <p className="mt-2 flex items-center gap-2 text-muted text-sm">
        <Pill tone="held">{t("once")}</Pill>
        {t("fingerprint")}
      </p>
      <h3 className="mt-5 mb-2 font-medium text-sm">{t("tryIt")}</h3>
      <CodeSamples label={t("tryIt")} samples={chatSamples(baseUrl, secret)} />
    </ShownOnce>
  );
}
