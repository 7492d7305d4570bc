import type { z } from "zod";
import { changeChannel, createChannel, removeChannel, setChannelState } from "../commands/channels";
import { testChannel } from "../commands/test-channel";
import type { changeChannelRequest, channelStateRequest, createChannelRequest, testChannelRequest } from "../contract/operator-channels";
import { showChannel } from "../queries/channels";
import type { Call } from "../site/call";

export async function addChannel({ parts, body, user }: Call<z.output<typeof createChannelRequest>>) {
  return showChannel(parts, await createChannel(parts, user().userId, body));
}

export async function editChannel({ parts, body, id, user }: Call<z.output<typeof changeChannelRequest>>) {
  return showChannel(parts, await changeChannel(parts, user().userId, { ...body, id }));
}

export async function turnChannel({ parts, body, id, user }: Call<z.output<typeof channelStateRequest>>) {
  return showChannel(parts, await setChannelState(parts, user().userId, { id, state: body.state }));
}

export async function tryOneChannel({ parts, body, id, user }: Call<z.output<typeof testChannelRequest>>) {
  return testChannel(parts, user().userId, { ...body, id });
}

export async function dropChannel({ parts, id, user }: Call) {
  return { result: await removeChannel(parts, user().userId, { id }) };
}
