import { Gauge } from "lucide-react";
import type { ShellPage } from "@/components/shell/pages";

/** What operators have, in its order. */
export const operatorPages: readonly ShellPage[] = [{ href: "/admin", name: "adminOverview", Icon: Gauge, isOnPhone: true }];
