/** The settings of coding agents. A test runs those that can be installed with these very files. */
import type { ClientFile } from "./client-file";
import type { Place } from "./code";

const TEXT = "relay-v1";

export const codexSettings = ({ baseUrl }: Place): ClientFile => ({
  name: "~/.codex/config.toml",
  code: `model = "${TEXT}"
model_provider = "relay"

[model_providers.relay]
name = "Relay"
base_url = "${baseUrl}"
env_key = "RELAY_API_KEY"
wire_api = "responses"`,
});

export const codexCommand: ClientFile = { code: `codex exec "Say what this folder contains."` };

export const claudeCodeCommands = ({ origin }: Place): ClientFile => ({
  code: `export ANTHROPIC_BASE_URL="${origin}"
export ANTHROPIC_AUTH_TOKEN="$RELAY_API_KEY"
export ANTHROPIC_MODEL="${TEXT}"
export ANTHROPIC_DEFAULT_HAIKU_MODEL="${TEXT}"
claude`,
});

export const openCodeSettings = ({ baseUrl }: Place): ClientFile => ({
  name: "opencode.json",
  code: JSON.stringify(
    {
      $schema: "https://opencode.ai/config.json",
      model: `relay/${TEXT}`,
      small_model: `relay/${TEXT}`,
      provider: {
        relay: {
          npm: "@ai-sdk/openai-compatible",
          name: "Relay",
          options: { baseURL: baseUrl, apiKey: "{env:RELAY_API_KEY}" },
          models: { [TEXT]: { name: "RelayV1", tool_call: true } },
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
