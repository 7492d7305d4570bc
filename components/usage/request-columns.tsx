import { Columns3 } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { changeAddress, presentParameter } from "@/components/lists/address";
import { entryCells, type entryValues, useEntryColumns } from "@/components/requests/entry-cells";
import { KeyName } from "@/components/requests/key-name";
import { Button } from "@/components/ui/button";
import type { DenseColumn } from "@/components/ui/dense-table";
import { Menu, MenuCheck } from "@/components/ui/menu";
import { PointsText } from "@/components/ui/points-text";
import type { Sorts } from "@/components/ui/use-sorted";
import type { EntryView } from "@/lib/contract/entries";
import type { Dialect } from "@/lib/contract/states";

/** Those that can be left out or added, in their order. */
const choices = ["key", "api", "tags", "id", "quoted", "details", "took"] as const;
type Choice = (typeof choices)[number];
const usual: readonly Choice[] = ["key", "details", "took"];

/** Those that the parameter `columns` of the URL names. */
function chosenBy(columns: string | null): readonly Choice[] {
  const named = columns?.split(",");
  return named ? choices.filter((name) => named.includes(name)) : usual;
}

/** The widths of all columns: where there is room, and where there is much. */
const widths: Readonly<Record<string, readonly [string | null, string]>> = {
  time: ["6.25rem", "6.25rem"],
  model: ["9.25rem", "10.5rem"],
  key: ["minmax(0,0.65fr)", "minmax(0,0.8fr)"],
  api: [null, "minmax(0,0.6fr)"],
  tags: [null, "minmax(0,0.8fr)"],
  id: [null, "minmax(0,1fr)"],
  quoted: [null, "5.5rem"],
  details: ["minmax(0,1.35fr)", "minmax(0,1.3fr)"],
  took: [null, "5.25rem"],
  state: ["2.25rem", "2.25rem"],
  amount: ["7rem", "7.25rem"],
};

/** Between the model and what it was. */
const added = choices.slice(0, 5);
const order = ["time", "model", ...added, "details", "took", "state", "amount"] as const;

const addedCells = (
  { request }: EntryView,
  dialectText: (dialect: Dialect) => string,
): Readonly<Record<string, ReactNode>> => ({
  key: <KeyName key="key" request={request} />,
  api: <span key="api">{request?.dialect ? dialectText(request.dialect) : null}</span>,
  tags: (
    <span key="tags">
      {request?.tags.map(({ name, value }) => `${name}=${value}`).join(", ") ?? null}
    </span>
  ),
  id: (
    <span key="id" className="num text-xs">
      {request?.requestId}
    </span>
  ),
  quoted: request ? <PointsText key="quoted" value={request.quoted} /> : null,
});

/** The columns that the page's URL names, with their cells and widths. `timeZone`: of the times. */
export function useRequestColumns(
  sort: Sorts<keyof typeof entryValues>,
  timeZone: string | undefined,
) {
  const t = useTranslations("usage.columns");
  const detail = useTranslations("usage.detail");
  const chosen = chosenBy(useSearchParams().get("columns"));
  const isShown = (name: string) =>
    !choices.some((each) => each === name) || chosen.some((each) => each === name);
  const isNumber = (name: Choice) => name === "quoted";
  const columns = useEntryColumns(
    added.map(
      (name): DenseColumn => ({
        name: t(name),
        place: name === "key" ? "wide" : "widest",
        isNumber: isNumber(name),
      }),
    ),
    sort,
  );
  const shownOf = <Item,>(items: readonly Item[]) =>
    items.filter((_, at) => isShown(order[at] ?? ""));
  const widthsOf = (place: 0 | 1) =>
    order.filter(isShown).flatMap((name) => widths[name]?.[place] ?? []);
  return {
    columns: shownOf(columns),
    cellsOf: (entry: EntryView) => {
      const cells = addedCells(entry, (dialect) => detail(dialect));
      return shownOf(
        entryCells(
          entry,
          added.map((name) => cells[name]),
          { timeZone },
        ),
      );
    },
    widths: { wide: widthsOf(0).join(" "), widest: widthsOf(1).join(" ") },
    chosen,
  };
}

/** Chooses the columns; the URL keeps them. */
export function ColumnChoice({ chosen }: { chosen: readonly Choice[] }) {
  const t = useTranslations("usage.columns");
  const toggle = (name: Choice) => {
    const before = chosenBy(presentParameter("columns"));
    const next = choices.filter((each) => before.includes(each) !== (each === name));
    const isUsual = next.length === usual.length && usual.every((each) => next.includes(each));
    changeAddress({ columns: isUsual ? null : next.join(",") }, "replace");
  };
  return (
    <Menu
      trigger={
        <Button size="small" look="quiet">
          <Columns3 aria-hidden />
          {t("title")}
        </Button>
      }
    >
      {choices.map((name) => (
        <MenuCheck key={name} isChecked={chosen.includes(name)} onToggle={() => toggle(name)}>
          {t(name)}
        </MenuCheck>
      ))}
    </Menu>
  );
}
