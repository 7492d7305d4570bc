import { queryOptions } from "@tanstack/react-query";
import { type CreateOperatorKey, operatorKeyEndpoints } from "../contract/operator-keys";
import { call } from "./call";
import { useWrite } from "./write";

export const operatorKeysQuery = queryOptions({
  queryKey: ["operator", "keys"],
  queryFn: ({ signal }) => call(operatorKeyEndpoints.listOperatorKeys, { signal }),
});

export const useCreateOperatorKey = () =>
  useWrite(
    (body: CreateOperatorKey) => call(operatorKeyEndpoints.createOperatorKey, { body }),
    operatorKeysQuery.queryKey,
    true,
  );
export const useRevokeOperatorKey = () =>
  useWrite(
    (id: string) => call(operatorKeyEndpoints.revokeOperatorKey, { id }),
    operatorKeysQuery.queryKey,
  );
