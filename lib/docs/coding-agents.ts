/** The settings of coding agents. A test runs those that can be installed with these very files. */
import { exampleText } from "../catalog/example-models";
import { firstModelOf } from "../catalog/models";
import { brandName } from "../contract/brand";
import type { ClientFile } from "./client-file";
import type { Place } from "./code";

export const codexSettings = ({ baseUrl }: Place): ClientFile => ({
  name: "~/.codex/config.toml",
  code: `model = "${exampleText()}"
model_provider = "relay"

[model_providers.relay]
name = ${JSON.stringify(brandName())}
base_url = "${baseUrl}"
env_key = "RELAY_API_KEY"
wire_api = "responses"`,
});

export const codexCommand: ClientFile = { code: `codex exec "Say what this folder contains."` };

export const claudeCodeCommands = ({ origin }: Place): ClientFile => ({
  code: `export ANTHROPIC_BASE_URL="${origin}"
export ANTHROPIC_AUTH_TOKEN="$RELAY_API_KEY"
export ANTHROPIC_MODEL="${exampleText()}"
export ANTHROPIC_DEFAULT_HAIKU_MODEL="${exampleText()}"
claude`,
});

export const openCodeSettings = ({ baseUrl }: Place): ClientFile => ({
  name: "opencode.json",
  code: JSON.stringify(
    {
      $schema: "https://opencode.ai/config.json",
      model: `relay/${exampleText()}`,
      small_model: `relay/${exampleText()}`,
      provider: {
        relay: {
          npm: "@ai-sdk/openai-compatible",
          name: brandName(),
          options: { baseURL: baseUrl, apiKey: "{env:RELAY_API_KEY}" },
          models: { [exampleText()]: { name: firstModelOf("text").id, tool_call: true } },
        },
      },
    },
    null,
    2,
  ),
});

export const openCodeCommand: ClientFile = {
  code: `opencode run "Say what this folder contains."`,
};
