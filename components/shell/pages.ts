import {
  Bell,
  BookOpen,
  Boxes,
  ChartColumn,
  Clapperboard,
  Coins,
  LayoutDashboard,
  type LucideIcon,
  MessagesSquare,
  Settings,
  Tag,
  Users,
} from "lucide-react";
import type { useMessages } from "next-intl";
import { may, type Permission } from "@/lib/contract/member-roles";
import type { MemberRole } from "@/lib/contract/states";

type Messages = ReturnType<typeof useMessages>;

export interface ShellPage {
  href: `/${string}`;
  /** Its message key under `shell`. */
  name: Exclude<keyof Messages["shell"], "themes" | "onPhone">;
  Icon: LucideIcon;
  /** Whether it is in the bottom bar of a phone. The others are behind its last button. */
  isOnPhone: boolean;
  /** What a member's role must include; absent for a page of everyone. */
  needs?: Permission;
}

interface DashboardPage extends ShellPage {
  /** The shortcut's letter, pressed after `g`. */
  letter: string;
}

/** The dashboard's pages in order. */
export const dashboardPages: readonly DashboardPage[] = [
  { href: "/overview", name: "overview", Icon: LayoutDashboard, letter: "o", isOnPhone: true },
  {
    href: "/playground",
    name: "playground",
    Icon: MessagesSquare,
    letter: "c",
    isOnPhone: true,
    needs: "work",
  },
  { href: "/points", name: "points", Icon: Coins, letter: "p", isOnPhone: true },
  {
    href: "/usage",
    name: "usage",
    Icon: ChartColumn,
    letter: "u",
    isOnPhone: true,
    needs: "readUsage",
  },
  {
    href: "/tasks",
    name: "tasks",
    Icon: Clapperboard,
    letter: "t",
    isOnPhone: false,
    needs: "readUsage",
  },
  { href: "/pricing", name: "pricing", Icon: Tag, letter: "r", isOnPhone: false },
  { href: "/models", name: "models", Icon: Boxes, letter: "m", isOnPhone: false },
  { href: "/docs", name: "docs", Icon: BookOpen, letter: "d", isOnPhone: false },
  {
    href: "/notifications",
    name: "notifications",
    Icon: Bell,
    letter: "n",
    isOnPhone: false,
  },
  { href: "/members", name: "members", Icon: Users, letter: "e", isOnPhone: false },
  { href: "/settings", name: "settings", Icon: Settings, letter: "s", isOnPhone: false },
];

/** Those of the pages that a role includes. */
export const pagesFor = <Page extends ShellPage>(pages: readonly Page[], role: MemberRole) =>
  pages.filter(({ needs }) => needs === undefined || may(role, needs));
