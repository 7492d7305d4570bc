import { Film, Gauge, ScrollText, Users, Workflow } from "lucide-react";
import type { ShellPage } from "@/components/shell/pages";

/** What operators have, in its order. */
export const operatorPages: readonly ShellPage[] = [
  { href: "/admin", name: "adminOverview", Icon: Gauge, isOnPhone: true },
  { href: "/admin/accounts", name: "adminAccounts", Icon: Users, isOnPhone: true },
  { href: "/admin/requests", name: "adminRequests", Icon: Workflow, isOnPhone: true },
  { href: "/admin/tasks", name: "adminTasks", Icon: Film, isOnPhone: true },
  { href: "/admin/audit", name: "adminAudit", Icon: ScrollText, isOnPhone: false },
];
