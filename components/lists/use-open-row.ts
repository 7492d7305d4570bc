import { useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { changeAddress, presentParameter } from "./address";

interface List {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

export interface OpenRow {
  /** Null when no row is open. */
  readonly id: string | null;
  /** Its position from 1; null for a row that is not listed. */
  readonly place: number | null;
  readonly count: number;
  /** Whether the list has more than `count` rows. */
  readonly hasMore: boolean;
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  readonly isFetching: boolean;
  readonly open: (id: string) => void;
  readonly close: () => void;
  readonly step: (by: 1 | -1) => void;
}

/** The link of a row, which holds the row's focus. */
export const rowLink = (id: string | null) =>
  id === null ? null : document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);

/**
 * The row of a list whose drawer is open, and its neighbours. The parameter `name` of the URL names
 * it. `total`: how many rows there are in all, if known.
 */
export function useOpenRow(
  name: string,
  ids: readonly string[],
  list: List,
  total?: number | undefined,
): OpenRow {
  const id = useSearchParams().get(name);
  /** The last row that is loaded, while the reader waits for the one after it. */
  const [waitsAfter, setWaitsAfter] = useState<string | null>(null);
  const at = id === null ? -1 : ids.indexOf(id);
  const after = at === -1 ? undefined : ids[at + 1];
  const show = (next: string) => {
    changeAddress({ [name]: next }, "replace");
    rowLink(next)?.scrollIntoView({ block: "nearest" });
  };
  useEffect(() => {
    if (waitsAfter === null || waitsAfter !== id || after === undefined) return;
    setWaitsAfter(null);
    changeAddress({ [name]: after }, "replace");
  }, [waitsAfter, id, after, name]);
  const step = (by: 1 | -1) => {
    const open = presentParameter(name);
    const from = open === null ? -1 : ids.indexOf(open);
    const next = from === -1 ? undefined : ids[from + by];
    if (next !== undefined) return show(next);
    if (from === -1 || by === -1 || !list.hasNextPage || list.isFetchingNextPage) return;
    setWaitsAfter(open);
    void list.fetchNextPage();
  };
  return {
    id,
    place: at === -1 ? null : at + 1,
    count: total ?? ids.length,
    hasMore: total === undefined && list.hasNextPage,
    hasPrevious: at > 0,
    hasNext: at !== -1 && (after !== undefined || list.hasNextPage),
    isFetching: list.isFetchingNextPage,
    open: (next) => changeAddress({ [name]: next }),
    close: () => changeAddress({ [name]: null }),
    step,
  };
}
