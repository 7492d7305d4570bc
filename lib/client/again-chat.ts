/** A kept request as a conversation of the playground, to be sent again or changed. */
import { askedBody, askedTurns } from "./content-text";
import type { ChatSettings, Conversation, Turn } from "./kept-conversation";

const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;

function settingsOf(body: Record<string, unknown>, model: string, system: string): ChatSettings {
  const max_tokens = numberOf(body.max_tokens ?? body.max_output_tokens);
  const temperature = numberOf(body.temperature);
  const top_p = numberOf(body.top_p);
  return {
    model,
    system,
    ...(max_tokens !== undefined && { max_tokens }),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
  };
}

/** Null where it cannot be asked in the playground, such as with the results of tools. */
export function conversationOf(input: string, model: string): Conversation | null {
  const [body, asked] = [askedBody(input), askedTurns(input)];
  if (body === null || asked === null) return null;
  const turns: Turn[] = [];
  const system: string[] = [];
  for (const { role, text } of asked) {
    if (role === "system" || role === "developer") system.push(text);
    else if (role === "user" || role === "assistant")
      turns.push({ id: turns.length + 1, role, text });
    else return null;
  }
  if (turns.at(-1)?.role !== "user") return null;
  return { turns, settings: settingsOf(body, model, system.join("\n")), isRunning: false };
}
