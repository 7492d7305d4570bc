import { useTranslations } from "next-intl";
import { tags } from "@/components/ui/rich-text";
import type { Place } from "@/lib/docs/code";
import {
  claudeCodeCommands,
  codexCommand,
  codexSettings,
  openCodeCommand,
  openCodeSettings,
} from "@/lib/docs/coding-agents";
import { CodeFile } from "../code-file";
import { Prose } from "../guide-frame";

export function Codex({ place }: { place: Place }) {
  const t = useTranslations("docs.guides.clients.codex");
  return (
    <>
      <Prose>{t.rich("text", tags)}</Prose>
      <CodeFile title={t("settings")} file={codexSettings(place)} />
      <CodeFile title={t("command")} file={codexCommand} />
    </>
  );
}

export function ClaudeCode({ place }: { place: Place }) {
  const t = useTranslations("docs.guides.clients.claudeCode");
  return (
    <>
      <Prose>{t.rich("text", tags)}</Prose>
      <CodeFile title={t("command")} file={claudeCodeCommands(place)} />
    </>
  );
}

export function OpenCode({ place }: { place: Place }) {
  const t = useTranslations("docs.guides.clients.openCode");
  return (
    <>
      <Prose>{t.rich("text", tags)}</Prose>
      <CodeFile title={t("settings")} file={openCodeSettings(place)} />
      <CodeFile title={t("command")} file={openCodeCommand} />
    </>
  );
}
