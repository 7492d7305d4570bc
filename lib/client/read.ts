import { type QueryKey, queryOptions } from "@tanstack/react-query";
import type { Callable, PageInputOf } from "../contract/page-endpoint";
import { call } from "./call";

/** What a row answers to `input`, cached under `queryKey`. */
export const reading = <const Key extends QueryKey, Row extends Callable>(
  queryKey: Key,
  row: Row,
  input: PageInputOf<Row>,
) => queryOptions({ queryKey, queryFn: ({ signal }) => call(row, { ...input, signal }) });
