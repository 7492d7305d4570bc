import { Eye, EyeOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ComponentProps, type KeyboardEvent, useState } from "react";
import { Input } from "./input";

/** A password input with a show button and a caps lock warning. */
export function PasswordInput(props: Omit<ComponentProps<"input">, "type">) {
  const t = useTranslations("ui");
  const [isShown, setIsShown] = useState(false);
  const [hasCapsLock, setHasCapsLock] = useState(false);
  const look = (event: KeyboardEvent) => setHasCapsLock(event.getModifierState("CapsLock"));
  const Icon = isShown ? EyeOff : Eye;
  return (
    <div>
      <div className="relative">
        <Input
          {...props}
          type={isShown ? "text" : "password"}
          className="pr-11"
          spellCheck={false}
          onKeyDown={look}
          onKeyUp={look}
        />
        <button
          type="button"
          aria-label={isShown ? t("hidePassword") : t("showPassword")}
          onClick={() => setIsShown(!isShown)}
          className="absolute inset-y-0 right-0 grid w-10 place-items-center rounded-md text-muted hover:text-ink"
        >
          <Icon aria-hidden className="size-4" />
        </button>
      </div>
      <p role="status" className="text-held-ink text-sm">
        {hasCapsLock ? <span className="mt-1.5 block">{t("capsLock")}</span> : null}
      </p>
    </div>
  );
}
