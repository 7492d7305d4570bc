import { useQuery } from "@tanstack/react-query";
import { type CreateManagementKey, managementKeyEndpoints } from "../contract/management-keys";
import { call } from "./call";
import { reading } from "./read";
import { useMay } from "./shown-account";
import { useWrite } from "./write";

const keysQuery = reading(["management-keys"], managementKeyEndpoints.listManagementKeys, {});

/** Nothing where the reader's role does not include it. */
export const useManagementKeys = () => useQuery({ ...keysQuery, enabled: useMay("manageByApi") });

export const useCreateManagementKey = () =>
  useWrite(
    (body: CreateManagementKey) => call(managementKeyEndpoints.createManagementKey, { body }),
    keysQuery.queryKey,
    true,
  );
export const useRevokeManagementKey = () =>
  useWrite(
    (id: string) => call(managementKeyEndpoints.revokeManagementKey, { id }),
    keysQuery.queryKey,
  );
