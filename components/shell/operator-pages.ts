import {
  Boxes,
  Cable,
  Film,
  Gauge,
  KeySquare,
  Landmark,
  Package,
  Receipt,
  ScrollText,
  Siren,
  SlidersHorizontal,
  Tags,
  Ticket,
  UserRoundCog,
  Users,
  Workflow,
} from "lucide-react";
import type { ShellPage } from "@/components/shell/pages";

/** The operators' pages in order. */
export const operatorPages: readonly ShellPage[] = [
  { href: "/admin", name: "adminOverview", Icon: Gauge, isOnPhone: true },
  { href: "/admin/accounts", name: "adminAccounts", Icon: Users, isOnPhone: true },
  { href: "/admin/groups", name: "adminGroups", Icon: UserRoundCog, isOnPhone: false },
  { href: "/admin/requests", name: "adminRequests", Icon: Workflow, isOnPhone: true },
  { href: "/admin/tasks", name: "adminTasks", Icon: Film, isOnPhone: true },
  { href: "/admin/channels", name: "adminChannels", Icon: Cable, isOnPhone: false },
  { href: "/admin/models", name: "adminModels", Icon: Boxes, isOnPhone: false },
  { href: "/admin/prices", name: "adminPrices", Icon: Tags, isOnPhone: false },
  { href: "/admin/money", name: "adminMoney", Icon: Landmark, isOnPhone: false },
  { href: "/admin/invoices", name: "adminInvoices", Icon: Receipt, isOnPhone: false },
  { href: "/admin/packages", name: "adminPackages", Icon: Package, isOnPhone: false },
  { href: "/admin/vouchers", name: "adminVouchers", Icon: Ticket, isOnPhone: false },
  { href: "/admin/incidents", name: "adminIncidents", Icon: Siren, isOnPhone: false },
  { href: "/admin/keys", name: "adminKeys", Icon: KeySquare, isOnPhone: false },
  { href: "/admin/audit", name: "adminAudit", Icon: ScrollText, isOnPhone: false },
  { href: "/admin/settings", name: "adminSettings", Icon: SlidersHorizontal, isOnPhone: false },
];
