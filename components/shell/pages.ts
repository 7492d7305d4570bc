import {
  Bell,
  BookOpen,
  Boxes,
  ChartColumn,
  Clapperboard,
  Coins,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  MessagesSquare,
  Settings,
  Tag,
  Users,
} from "lucide-react";
import type { useMessages } from "next-intl";
import { pageNeeds } from "@/lib/contract/member-pages";
import { may } from "@/lib/contract/member-roles";
import type { MemberRole } from "@/lib/contract/states";

type Messages = ReturnType<typeof useMessages>;

export interface ShellPage {
  href: `/${string}`;
  /** Its message key under `shell`. */
  name: Exclude<keyof Messages["shell"], "themes" | "onPhone">;
  Icon: LucideIcon;
  /** Whether it is in the bottom bar of a phone. The others are behind its last button. */
  isOnPhone: boolean;
}

interface DashboardPage extends ShellPage {
  href: keyof typeof pageNeeds;
  /** The shortcut's letter, pressed after `g`. */
  letter: string;
}

const dashboardPages: readonly DashboardPage[] = [
  { href: "/overview", name: "overview", Icon: LayoutDashboard, letter: "o", isOnPhone: true },
  { href: "/playground", name: "playground", Icon: MessagesSquare, letter: "c", isOnPhone: true },
  { href: "/keys", name: "keys", Icon: KeyRound, letter: "k", isOnPhone: false },
  { href: "/points", name: "points", Icon: Coins, letter: "p", isOnPhone: true },
  { href: "/usage", name: "usage", Icon: ChartColumn, letter: "u", isOnPhone: true },
  { href: "/tasks", name: "tasks", Icon: Clapperboard, letter: "t", isOnPhone: false },
  { href: "/pricing", name: "pricing", Icon: Tag, letter: "r", isOnPhone: false },
  { href: "/models", name: "models", Icon: Boxes, letter: "m", isOnPhone: false },
  { href: "/docs", name: "docs", Icon: BookOpen, letter: "d", isOnPhone: false },
  { href: "/notifications", name: "notifications", Icon: Bell, letter: "n", isOnPhone: false },
  { href: "/members", name: "members", Icon: Users, letter: "e", isOnPhone: false },
  { href: "/settings", name: "settings", Icon: Settings, letter: "s", isOnPhone: false },
];

/** The dashboard's pages that a role includes. */
export const pagesFor = (role: MemberRole): DashboardPage[] =>
  dashboardPages.filter(({ href }) => {
    const needs = pageNeeds[href];
    return needs === null || may(role, needs);
  });
