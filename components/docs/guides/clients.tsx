import { useTranslations } from "next-intl";
import { tags } from "@/components/ui/rich-text";
import { agentsSdk, aiSdkResponses, langChain, llamaIndex } from "@/lib/docs/client-libraries";
import type { Place } from "@/lib/docs/code";
import { GuideFrame, Prose } from "../guide-frame";
import { Sample } from "../sample";
import { FormFields, OpenWebUi } from "./clients-apps";
import { ClaudeCode, Codex, OpenCode } from "./clients-coding";
import { McpClients } from "./clients-mcp";

const libraries = {
  langchain: langChain,
  llamaindex: llamaIndex,
  aiSdk: aiSdkResponses,
  agentsSdk,
};

/** "Use it with …": one section for each client. */
export function ClientsGuide({ place }: { place: Place }) {
  const t = useTranslations("docs.guides.clients");
  const section = (id: string, name: Parameters<typeof t>[0], body: React.ReactNode) => ({
    id,
    title: t(name),
    body,
  });
  const library = (id: string, name: keyof typeof libraries) =>
    section(
      id,
      `${name}.title`,
      <>
        <Prose>{t.rich(`${name}.text`, tags)}</Prose>
        <Sample title={t(`${name}.sample`)} code={[libraries[name](place)]} />
      </>,
    );
  return (
    <GuideFrame
      name="clients"
      title={t("title")}
      lead={t("lead")}
      sections={[
        section("codex", "codex.title", <Codex place={place} />),
        section("claude-code", "claudeCode.title", <ClaudeCode place={place} />),
        section("opencode", "openCode.title", <OpenCode place={place} />),
        section("cursor", "cursor.title", <FormFields name="cursor" place={place} />),
        section("open-webui", "openWebUi.title", <OpenWebUi place={place} />),
        library("langchain", "langchain"),
        library("llamaindex", "llamaindex"),
        library("ai-sdk", "aiSdk"),
        library("agents-sdk", "agentsSdk"),
        section("n8n", "n8n.title", <FormFields name="n8n" place={place} />),
        section("mcp", "mcp.title", <McpClients place={place} />),
      ]}
    />
  );
}
