import type { VariantProps } from "class-variance-authority";
import { LoaderCircle } from "lucide-react";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { buttonStyle } from "./button-style";
import { cn } from "./class-names";

type ButtonProps = ComponentProps<"button"> &
  VariantProps<typeof buttonStyle> & { asChild?: boolean; isBusy?: boolean };

export function Button({
  look,
  size,
  asChild,
  isBusy = false,
  className,
  children,
  disabled,
  type = "button",
  ...rest
}: ButtonProps) {
  // The sign of waiting takes the place of the button's own, so that it keeps its width.
  const classes = cn(buttonStyle({ look, size }), isBusy && "[&>svg~svg]:hidden", className);
  if (asChild) {
    return (
      <Slot.Root className={classes} {...rest}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type={type}
      className={classes}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      {...rest}
    >
      {isBusy ? <LoaderCircle aria-hidden className="animate-spin" /> : null}
      {children}
    </button>
  );
}
