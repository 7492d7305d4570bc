import { queryOptions } from "@tanstack/react-query";
import { importEndpoints } from "../contract/operator-imports";
import { call } from "./call";

export const importsQuery = queryOptions({
  queryKey: ["operator", "imports"],
  queryFn: ({ signal }) => call(importEndpoints.listImports, { signal }),
});
