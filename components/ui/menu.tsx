import { Check, Ellipsis } from "lucide-react";
import { DropdownMenu as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "./button";
import { cn } from "./class-names";

/** A button with a menu of actions. */
export function Menu({ trigger, children }: { trigger: ReactNode; children: ReactNode }) {
  return (
    <Primitive.Root modal={false}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          align="end"
          sideOffset={6}
          className="z-55 min-w-44 animate-appear rounded-lg border bg-card p-1 shadow-float"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

interface ActionsMenuProps {
  label: string;
  isBusy?: boolean;
  className?: string;
  children: ReactNode;
}

/** The menu of what can be done with a row. */
export const ActionsMenu = ({ label, isBusy = false, className, children }: ActionsMenuProps) => (
  <Menu
    trigger={
      <Button look="quiet" size="icon" aria-label={label} isBusy={isBusy} className={className}>
        {isBusy ? null : <Ellipsis aria-hidden />}
      </Button>
    }
  >
    {children}
  </Menu>
);

const itemStyle =
  "flex cursor-pointer select-none items-center gap-2.5 rounded-sm px-2.5 py-2 text-sm outline-none data-highlighted:bg-wash [&_svg]:size-4";

interface MenuCheckProps {
  isChecked: boolean;
  onToggle: () => void;
  children: ReactNode;
}

/** A choice that leaves the menu open. */
export function MenuCheck({ isChecked, onToggle, children }: MenuCheckProps) {
  return (
    <Primitive.CheckboxItem
      checked={isChecked}
      onCheckedChange={onToggle}
      onSelect={(event) => event.preventDefault()}
      className={cn(itemStyle, "relative pl-8")}
    >
      <Primitive.ItemIndicator className="absolute left-2.5">
        <Check aria-hidden />
      </Primitive.ItemIndicator>
      {children}
    </Primitive.CheckboxItem>
  );
}

interface MenuItemProps {
  isDangerous?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuItem({ isDangerous, onSelect, children }: MenuItemProps) {
  return (
    <Primitive.Item
      onSelect={onSelect}
      className={cn(itemStyle, isDangerous ? "text-bad" : "text-ink [&_svg]:text-muted")}
    >
      {children}
    </Primitive.Item>
  );
}
