import { operatorSettingsResponse, postNoticeRequest, setSettingRequest } from "../contract/operator-settings";
import { siteHandler } from "../http/site";
import { showOperatorSettings } from "../queries/settings";
import type { Host } from "../site/site-routes";
import { endOneNotice, postOneNotice, setOneSetting } from "./settings";

export function settingsRoutes(host: Host) {
  const write = { session: "operator", proof: "recent", query: null, answer: operatorSettingsResponse } as const;
  return {
    showOperatorSettings: siteHandler(host, {
      session: "operator",
      body: null,
      query: null,
      answer: operatorSettingsResponse,
      run: ({ parts }) => showOperatorSettings(parts),
    }),
    setSetting: siteHandler(host, { ...write, body: setSettingRequest, run: setOneSetting }),
    postNotice: siteHandler(host, { ...write, body: postNoticeRequest, run: postOneNotice }),
    endNotice: siteHandler(host, { ...write, body: null, run: endOneNotice }),
  };
}
