import { cva } from "class-variance-authority";

/** How a button looks, for what is no `Button`: without the parts that one needs besides. */
export const buttonStyle = cva(
  "inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-md border font-medium transition-colors duration-100 disabled:cursor-not-allowed disabled:opacity-50 aria-busy:cursor-progress [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      look: {
        plain: "border-line-strong bg-card text-ink hover:not-disabled:bg-wash",
        go: "border-ink bg-ink text-paper hover:not-disabled:bg-ink/88",
        signal:
          "border-signal bg-signal text-on-signal hover:not-disabled:bg-[color-mix(in_oklch,var(--signal)_90%,var(--ink))]",
        danger:
          "border-bad bg-bad text-on-bad hover:not-disabled:bg-[color-mix(in_oklch,var(--bad)_90%,var(--ink))]",
        quiet:
          "border-transparent text-muted hover:not-disabled:bg-wash hover:not-disabled:text-ink",
      },
      size: {
        small: "h-8 px-2.5 text-sm",
        medium: "h-9.5 px-3.5 text-sm",
        large: "h-11 px-5 text-base",
        icon: "size-9",
      },
    },
    defaultVariants: { look: "plain", size: "medium" },
  },
);
