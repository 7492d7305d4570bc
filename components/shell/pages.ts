import {
  ChartColumn,
  Clapperboard,
  Coins,
  LayoutDashboard,
  type LucideIcon,
  MessagesSquare,
  Settings,
  Tag,
} from "lucide-react";
import type { useMessages } from "next-intl";

type Messages = ReturnType<typeof useMessages>;

export interface ShellPage {
  href: `/${string}`;
  /** Its text in `shell`. */
  name: Exclude<keyof Messages["shell"], "themes" | "onPhone">;
  Icon: LucideIcon;
  /** Whether it stands in the bar at the bottom of a phone; the others are behind its last button. */
  isOnPhone: boolean;
}

interface DashboardPage extends ShellPage {
  /** Pressed after `g`. */
  letter: string;
}

/** What the dashboard has, in its order; a page that does not exist yet is not listed. */
export const dashboardPages: readonly DashboardPage[] = [
  { href: "/overview", name: "overview", Icon: LayoutDashboard, letter: "o", isOnPhone: true },
  { href: "/playground", name: "playground", Icon: MessagesSquare, letter: "c", isOnPhone: true },
  { href: "/points", name: "points", Icon: Coins, letter: "p", isOnPhone: true },
  { href: "/usage", name: "usage", Icon: ChartColumn, letter: "u", isOnPhone: true },
  { href: "/tasks", name: "tasks", Icon: Clapperboard, letter: "t", isOnPhone: false },
  { href: "/pricing", name: "pricing", Icon: Tag, letter: "r", isOnPhone: false },
  { href: "/settings", name: "settings", Icon: Settings, letter: "s", isOnPhone: false },
];
