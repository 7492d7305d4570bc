import type { z } from "zod";
import { endNotice, postNotice, setLiveSetting } from "../commands/settings";
import type { postNoticeRequest, setSettingRequest } from "../contract/operator-settings";
import { showOperatorSettings } from "../queries/settings";
import type { Call } from "../site/call";

export async function setOneSetting(call: Call<z.output<typeof setSettingRequest>>) {
  const { parts, body, user } = call;
  await setLiveSetting(parts, user().userId, body);
  return showOperatorSettings(call.parts);
}

const momentOf = (text: string | null) => (text === null ? null : new Date(text));

export async function postOneNotice(call: Call<z.output<typeof postNoticeRequest>>) {
  const { parts, body, user } = call;
  const notice = { ...body, startsAt: momentOf(body.startsAt), endsAt: momentOf(body.endsAt) };
  await postNotice(parts, user().userId, notice);
  return showOperatorSettings(call.parts);
}

export async function endOneNotice(call: Call) {
  const { parts, id, user } = call;
  await endNotice(parts, user().userId, { id });
  return showOperatorSettings(call.parts);
}
