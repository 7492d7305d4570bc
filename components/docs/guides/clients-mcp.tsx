import { useTranslations } from "next-intl";
import { FactList } from "@/components/ui/fact-list";
import { tags } from "@/components/ui/rich-text";
import type { Place } from "@/lib/docs/code";
import { mcpInClaudeCode, mcpInCodex, mcpInCursor } from "@/lib/docs/mcp-clients";
import { CodeFile } from "../code-file";
import { Prose } from "../guide-frame";

const tools = [
  "generate_image",
  "generate_video",
  "get_video",
  "get_image",
  "list_models",
  "quote",
  "get_balance",
] as const;

/** The tools that an agent gets, and how it gets them. */
export function McpClients({ place }: { place: Place }) {
  const t = useTranslations("docs.guides.clients.mcp");
  return (
    <>
      <Prose>{t.rich("text", tags)}</Prose>
      <CodeFile title={t("claudeCode")} file={mcpInClaudeCode(place)} />
      <CodeFile title={t("codex")} file={mcpInCodex(place)} />
      <CodeFile title={t("cursor")} file={mcpInCursor(place)} />
      <FactList
        facts={tools.map((name) => ({
          name: tags.code(name),
          text: t.rich(`tools.${name}`, tags),
        }))}
      />
    </>
  );
}
