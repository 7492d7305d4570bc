import { Plus, Trash2 } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useId } from "react";
import { TextField } from "@/components/forms/text-field";
import { Button } from "@/components/ui/button";
import { FieldError } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { exactTime } from "@/lib/client/times";
import { CHANNEL_CREDENTIALS_MAX } from "@/lib/contract/limits";
import type { ChannelView } from "@/lib/contract/operator-channels";
import { type CredentialInput, isCredential, newCredential } from "./credential-form";
import type { ChannelForm } from "./use-channel-form";

interface FurtherCredentialsProps {
  channel: ChannelView | null;
  form: ChannelForm;
}

/** The credentials that share the requests with the channel's own. */
export function FurtherCredentials({ channel, form }: FurtherCredentialsProps) {
  const t = useTranslations("operator.channels");
  const errorId = useId();
  const { credentials } = form.watch();
  const error = form.errorOf("credentials");
  const change = (next: CredentialInput[]) => form.change({ credentials: next });
  return (
    <fieldset className="grid min-w-0 gap-3" aria-describedby={error ? errorId : undefined}>
      <legend className="mb-1.5 font-medium text-sm">{t("credentials")}</legend>
      <p className="text-muted text-sm">{t("credentialsNote")}</p>
      {credentials.length === 0 ? null : (
        <TextField
          label={t("credentialWeight")}
          hint={t("credentialWeightHint")}
          isNumber
          inputMode="numeric"
          {...form.field("credentialWeight")}
        />
      )}
      {credentials.map((credential, place) => (
        <CredentialFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a name is being typed, and the order stays
          key={place}
          credential={credential}
          setAt={channel?.credentials.find(({ name }) => name === credential.name)?.setAt ?? null}
          isWrong={error !== undefined && !isCredential(credential)}
          onChange={(part) => change(credentials.with(place, { ...credential, ...part }))}
          onRemove={() => change(credentials.toSpliced(place, 1))}
        />
      ))}
      <FieldError id={errorId} text={error} />
      <Button
        size="small"
        className="justify-self-start"
        disabled={credentials.length >= CHANNEL_CREDENTIALS_MAX}
        onClick={() => change([...credentials, newCredential()])}
      >
        <Plus aria-hidden />
        {t("addCredential")}
      </Button>
    </fieldset>
  );
}

interface CredentialFieldsProps {
  credential: CredentialInput;
  setAt: string | null;
  isWrong: boolean;
  onChange: (part: Partial<CredentialInput>) => void;
  onRemove: () => void;
}

function CredentialFields(props: CredentialFieldsProps) {
  const { credential, setAt, isWrong, onChange, onRemove } = props;
  const t = useTranslations("operator.channels");
  const locale = useLocale();
  const common = {
    "aria-invalid": isWrong || undefined,
    autoComplete: "off",
    spellCheck: false,
    className: "h-9 text-sm",
  } as const;
  return (
    <div className="grid grid-cols-[1fr_5rem_auto] items-center gap-2 rounded-md border p-3">
      <Input
        {...common}
        aria-label={t("credentialName")}
        placeholder={t("credentialName")}
        readOnly={!credential.isNew}
        value={credential.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <Input
        {...common}
        className="num h-9 text-sm"
        inputMode="numeric"
        aria-label={t("credentialShare", { name: credential.name })}
        value={credential.weight}
        onChange={(event) => onChange({ weight: event.target.value })}
      />
      <Button
        look="quiet"
        size="icon"
        aria-label={t("removeCredential", { name: credential.name })}
        onClick={onRemove}
      >
        <Trash2 aria-hidden />
      </Button>
      <Input
        {...common}
        type="password"
        autoComplete="new-password"
        className="col-span-full h-9 text-sm"
        aria-label={t("credentialSecret", { name: credential.name })}
        placeholder={
          setAt === null
            ? t("credentialSecretNew")
            : t("keySetOn", { date: exactTime(setAt, locale) })
        }
        value={credential.apiKey}
        onChange={(event) => onChange({ apiKey: event.target.value })}
      />
    </div>
  );
}
