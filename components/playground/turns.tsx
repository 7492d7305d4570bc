"use client";

import { Answer, Question } from "./turn-view";
import type { useChat } from "./use-chat";

export function Turns({ chat }: { chat: ReturnType<typeof useChat> }) {
  const { turns, isRunning, settings } = chat;
  return turns.map((turn, index) => {
    if (turn.role === "user")
      return (
        <Question
          key={turn.id}
          turn={turn}
          onResend={isRunning ? null : (text) => void chat.resend(turn.id, text)}
        />
      );
    const asked = turns[index - 1];
    const again = isRunning || !asked ? null : () => void chat.resend(asked.id);
    return (
      <Answer
        key={turn.id}
        turn={turn}
        model={settings.model}
        isRunning={isRunning && index === turns.length - 1}
        onAgain={again}
      />
    );
  });
}
