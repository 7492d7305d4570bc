"use client";

import { Check, Copy } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ComponentProps, useEffect, useState } from "react";
import { Button } from "./button";

/** Copies with `document.execCommand`, for pages that may not use the clipboard API. */
function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.className = "fixed top-0 left-0 opacity-0";
  // A dialog traps the focus, so the selection must be made inside it.
  const home = document.activeElement?.closest("[role=dialog]") ?? document.body;
  const focused = document.activeElement;
  home.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

type CopyButtonProps = Omit<ComponentProps<typeof Button>, "onClick" | "children"> & {
  /** A function makes it when it is copied. */
  text: string | (() => string);
  /** What is copied, for screen readers and the tooltip. */
  what: string;
  /** The whole name of the button; by default it says that `what` is copied. */
  named?: string;
  hasText?: boolean;
};

/**
 * Copies text and confirms it on screen and to screen readers. Works without clipboard permission.
 */
export function CopyButton({
  text,
  what,
  named,
  hasText = true,
  size = "small",
  ...rest
}: CopyButtonProps) {
  const t = useTranslations("ui");
  const [outcome, setOutcome] = useState<"copied" | "failed" | null>(null);
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), 2000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const said = outcome === "copied" ? t("copied") : outcome === "failed" ? t("copyFailed") : "";
  return (
    <>
      <Button
        size={size}
        aria-label={named ?? t("copyWhat", { what })}
        onClick={async () => {
          const copied = typeof text === "string" ? text : text();
          setOutcome((await copyText(copied)) ? "copied" : "failed");
        }}
        {...rest}
      >
        {outcome === "copied" ? (
          <Check aria-hidden className="text-ok-ink" />
        ) : (
          <Copy aria-hidden />
        )}
        {hasText ? (
          <span className="min-w-[3.2em] text-left">{said || (named ?? t("copy"))}</span>
        ) : null}
      </Button>
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  );
}
