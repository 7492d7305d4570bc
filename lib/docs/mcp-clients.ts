/** How agents get the tools of `/mcp`. A test reads the address and the header from them. */
import type { ClientFile } from "./client-file";
import type { Place } from "./code";

export const mcpInClaudeCode = ({ origin }: Place): ClientFile => ({
  code: `claude mcp add --transport http relay ${origin}/mcp \\
  --header "Authorization: Bearer $RELAY_API_KEY"`,
});

export const mcpInCodex = ({ origin }: Place): ClientFile => ({
  name: "~/.codex/config.toml",
  code: `[mcp_servers.relay]
url = "${origin}/mcp"
bearer_token_env_var = "RELAY_API_KEY"`,
});

/** Cursor and many others read this form. */
export const mcpInCursor = ({ origin }: Place): ClientFile => ({
  name: "~/.cursor/mcp.json",
  code: JSON.stringify(
    {
      mcpServers: {
        relay: {
          url: `${origin}/mcp`,
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the form that Cursor replaces
          headers: { Authorization: "Bearer ${env:RELAY_API_KEY}" },
        },
      },
    },
    null,
    2,
  ),
});
