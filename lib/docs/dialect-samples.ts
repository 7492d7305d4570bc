/** A short call in each API that reaches the models, from the samples of the reference. */
import { endpoints } from "../contract/endpoints";
import type { Place } from "./code";
import { endpointExamples } from "./endpoint-samples";
import { mcpInClaudeCode } from "./mcp-clients";

const dialects = [
  { name: "chat", endpoint: "createChatCompletion" },
  { name: "messages", endpoint: "createMessage" },
  { name: "responses", endpoint: "createResponse" },
  { name: "videos", endpoint: "createVideoJob" },
  { name: "images", endpoint: "createImage" },
] as const;

export interface DialectSample {
  readonly name: (typeof dialects)[number]["name"] | "mcp";
  readonly path: string;
  /** Where it is explained. */
  readonly href: string;
  readonly code: string;
}

/** The first example of each, as typed into a shell. */
export function dialectSamples(place: Place): DialectSample[] {
  const calls = dialects.map(({ name, endpoint }) => {
    const row = endpoints[endpoint];
    const [example] = endpointExamples(row, place);
    const code = example?.samples.find(({ language }) => language === "curl")?.code ?? "";
    return { name, path: row.path, href: `/docs/api/${row.group}#${row.name}`, code };
  });
  const mcp = { name: "mcp", path: "/mcp", href: "/docs/clients#mcp" } as const;
  return [...calls, { ...mcp, code: mcpInClaudeCode(place).code }];
}
