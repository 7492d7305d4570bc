import { Tooltip as Primitive } from "radix-ui";
import type { ReactNode } from "react";

/** Shows text on hover or focus. The wrapped element must be focusable. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Primitive.Provider delayDuration={250}>
      <Primitive.Root>
        <Primitive.Trigger asChild>
          <button
            type="button"
            className="cursor-help rounded-sm text-inherit underline decoration-line-strong decoration-dotted underline-offset-3"
          >
            {children}
          </button>
        </Primitive.Trigger>
        <Primitive.Portal>
          <Primitive.Content
            sideOffset={6}
            collisionPadding={8}
            className="z-60 max-w-72 animate-appear rounded-md bg-ink px-2.5 py-1.5 text-paper text-xs shadow-float"
          >
            {text}
          </Primitive.Content>
        </Primitive.Portal>
      </Primitive.Root>
    </Primitive.Provider>
  );
}
