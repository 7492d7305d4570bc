/** The fields of a request that only an upstream of the same API gets, where the model offers them. */
import type { MessagesRequest } from "../../contract/messages";
import { passedMessagesFields } from "../../contract/passed-text-fields";
import { type TierParts, tierName } from "../../contract/text-tiers";
import { isKeyOf } from "../../values/records";
import { passedFields, plainAsks, type SoldText } from "../text-asks";
import { headerNames } from "./header-fields";
import { nativeFields } from "./to-chat";

const headerNameOf = (name: string): string | undefined =>
  isKeyOf(headerNames, name) ? headerNames[name] : undefined;
const isHeaderValue = (value: string) => /^[\w.-]{1,200}$/.test(value);

/** What chooses the tier, as far as there is a rate for all of it together. */
function tierOf(request: MessagesRequest, sold: SoldText): TierParts {
  const { service_tier: tier, speed, inference_geo: place } = request;
  const chosen = {
    service_tier: tier === "auto" ? "priority" : null,
    speed: speed === "standard" ? null : speed,
    inference_geo: place,
  };
  let parts: TierParts = {};
  for (const [name, value] of Object.entries(chosen)) {
    if (typeof value !== "string") continue;
    const more = { ...parts, [name]: value };
    if (sold.hasTier(tierName(more))) parts = more;
  }
  return parts;
}

/** What only an upstream of this API gets, and what of it this one does not get. */
export function passedOf(request: MessagesRequest, sold: SoldText) {
  const { fields: passed, asks } = passedFields(request, passedMessagesFields, sold);
  // How often these are called is bounded as for other tools.
  if (sold.offers.tools === undefined) delete passed.mcp_servers;
  const headers: [string, string][] = [];
  for (const [name, header] of Object.entries(headerNames)) {
    const value = passed[name];
    delete passed[name];
    if (typeof value === "string" && isHeaderValue(value)) headers.push([header, value]);
  }
  const tier = tierOf(request, sold);
  const { service_tier: priority, ...chosen } = tier;
  const isStandard = request.service_tier === "standard_only";
  const members = {
    ...passed,
    ...chosen,
    ...(priority || isStandard ? { service_tier: request.service_tier } : {}),
  };
  const isTold = (name: string) =>
    Object.hasOwn(members, name) || headers.some(([header]) => header === headerNameOf(name));
  return {
    members,
    headers: Object.fromEntries(headers),
    ignored: nativeFields.filter((name) => request[name] && !isTold(name)),
    asks: { ...plainAsks, ...asks, tier },
  };
}
