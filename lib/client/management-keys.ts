import { useQuery } from "@tanstack/react-query";
import { type CreateManagementKey, managementKeyEndpoints } from "../contract/management-keys";
import { call } from "./call";
import { reading } from "./read";
import { useMay } from "./shown-account";
import { useWrite } from "./write";

/** Below the API keys, so that what is read again for those is also this. */
const keysQuery = reading(["keys", "management"], managementKeyEndpoints.listManagementKeys, {});

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
    ({ id, keepsKeys }: { id: string; keepsKeys: boolean }) =>
      call(managementKeyEndpoints.revokeManagementKey, { id, body: { keepsKeys } }),
    // API keys that it made may be revoked with it.
    ["keys"],
  );
