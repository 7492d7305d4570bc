import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { type LiveSettingView, operatorSettingsResponse, type PostNoticeBody } from "../contract/operator-settings";
import { requestWithProof } from "./proof";
import { request } from "./request";

export const operatorSettingsQuery = queryOptions({
  queryKey: ["operator", "settings"],
  queryFn: ({ signal }) => request("/api/admin/settings", operatorSettingsResponse, { signal }),
});

function useSettingsMutation<Change>(addressOf: (change: Change) => string, bodyOf: (change: Change) => unknown) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) => requestWithProof(addressOf(change), operatorSettingsResponse, { method: "POST", body: bodyOf(change) }),
    onSuccess: (settings) => client.setQueryData(operatorSettingsQuery.queryKey, settings),
  });
}

export const useSetSetting = () =>
  useSettingsMutation<{ name: LiveSettingView["name"]; value: string | null }>(
    () => "/api/admin/settings",
    (body) => body,
  );

export const usePostNotice = () =>
  useSettingsMutation<PostNoticeBody>(
    () => "/api/admin/notices",
    (body) => body,
  );

export const useEndNotice = () =>
  useSettingsMutation<string>(
    (id) => `/api/admin/notices/${id}/end`,
    () => undefined,
  );
