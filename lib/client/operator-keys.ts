import { type CreateOperatorKey, operatorKeyEndpoints } from "../contract/operator-keys";
import { call } from "./call";
import { reading } from "./read";
import { useWrite } from "./write";

export const operatorKeysQuery = reading(
  ["operator", "keys"],
  operatorKeyEndpoints.listOperatorKeys,
  {},
);

export const useCreateOperatorKey = () =>
  useWrite(
    (body: CreateOperatorKey) => call(operatorKeyEndpoints.createOperatorKey, { body }),
    operatorKeysQuery.queryKey,
    true,
  );
export const useRevokeOperatorKey = () =>
  useWrite(
    ({ id }: { id: string }) => call(operatorKeyEndpoints.revokeOperatorKey, { id }),
    operatorKeysQuery.queryKey,
  );
