import { queryOptions } from "@tanstack/react-query";
import { groupEndpoints } from "../contract/operator-groups";
import { call } from "./call";

export const groupsQuery = queryOptions({
  queryKey: ["operator", "groups"],
  queryFn: ({ signal }) => call(groupEndpoints.listGroups, { signal }),
});
