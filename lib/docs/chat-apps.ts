/** The settings of applications that people chat with or build flows with. */
import { exampleText } from "../catalog/example-models";
import type { ClientFile } from "./client-file";
import type { Place } from "./code";

/** Open WebUI, as its container reads it. */
export const openWebUi = ({ baseUrl }: Place): ClientFile => ({
  code: `docker run -d -p 8080:8080 -v open-webui:/app/backend/data \\
  -e OPENAI_API_BASE_URL="${baseUrl}" \\
  -e OPENAI_API_KEY="$RELAY_API_KEY" \\
  -e ENABLE_OLLAMA_API=false \\
  ghcr.io/open-webui/open-webui:main`,
});

/** What a form of an application asks for, by the name of its field. */
export const formFields = ({ baseUrl }: Place) =>
  [
    ["baseUrl", baseUrl],
    ["key", "sk-rly-…"],
    ["model", exampleText()],
  ] as const;
