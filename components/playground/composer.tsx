"use client";

import { SendHorizontal, Square } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { controlStyle } from "@/components/ui/input";

interface ComposerProps {
  isRunning: boolean;
  onSend: (text: string) => void;
  onStop: () => void;
}

export function Composer({ isRunning, onSend, onStop }: ComposerProps) {
  const t = useTranslations("playground");
  const [text, setText] = useState("");
  const send = () => {
    if (text.trim() === "" || isRunning) return;
    onSend(text);
    setText("");
  };
  return (
    <form
      className="flex items-end gap-2 border-t p-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        aria-label={t("message")}
        placeholder={t("placeholder")}
        rows={2}
        className={`${controlStyle} field-sizing-content max-h-48 min-h-14 resize-none px-3 py-2`}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      {isRunning ? (
        <Button onClick={onStop} aria-keyshortcuts="Escape">
          <Square aria-hidden />
          {t("stop")}
        </Button>
      ) : (
        <Button type="submit" look="signal" disabled={text.trim() === ""}>
          <SendHorizontal aria-hidden />
          {t("send")}
        </Button>
      )}
    </form>
  );
}
