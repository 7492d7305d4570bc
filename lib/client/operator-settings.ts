import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import {
  type LiveSettingView,
  type operatorSettingsResponse,
  type PostNoticeBody,
  settingEndpoints,
} from "../contract/operator-settings";
import { call } from "./call";
import { reading } from "./read";

type Settings = z.infer<typeof operatorSettingsResponse>;

export const operatorSettingsQuery = reading(
  ["operator", "settings"],
  settingEndpoints.showOperatorSettings,
  {},
);

function useSettingsMutation<Change>(send: (change: Change) => Promise<Partial<Settings>>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (changed) =>
      client.setQueryData(
        operatorSettingsQuery.queryKey,
        (before) => before && { ...before, ...changed },
      ),
  });
}

export const useSetSetting = () =>
  useSettingsMutation((body: { name: LiveSettingView["name"]; value: string | null }) =>
    call(settingEndpoints.setLiveSetting, { body }),
  );

export const usePostNotice = () =>
  useSettingsMutation((body: PostNoticeBody) => call(settingEndpoints.postNotice, { body }));

export const useEndNotice = () =>
  useSettingsMutation((id: string) => call(settingEndpoints.endNotice, { id }));
