/** The limits that a key may be given, checked. */
import { findModel } from "../catalog/models";
import { KEY_ADDRESSES_MAX, REQUESTS_PER_MINUTE_OPERATOR_MAX } from "../contract/limits";
import { RelayError } from "../failures/relay-error";
import { MICROPOINTS_MAX, type Micropoints } from "../money/points";
import { addressListOf } from "../net/address-list";
import { assertHeldLimits, type HeldLimits } from "./held-limits";

export interface KeyLimits extends HeldLimits {
  readonly requestsPerMinute?: number | undefined;
  /** The points that the key may spend in its lifetime; null for no limit. */
  readonly budget?: Micropoints | null | undefined;
  /** Any names of catalogue models; empty for all. */
  readonly models?: readonly string[] | undefined;
  readonly expiresAt?: Date | null | undefined;
  /** The points within an hour above which the key is paused; null for never. */
  readonly hourlySpendMax?: Micropoints | null | undefined;
  /** Network addresses and CIDR ranges; empty for all. */
  readonly allowedAddresses?: readonly string[] | undefined;
}

function cleanModels(names: readonly string[]): string[] {
  return [
    ...new Set(
      names.map((name) => {
        const model = findModel(name);
        if (model === undefined)
          throw new RelayError("invalid_value", {
            param: "models",
            message: `There is no model ${name}.`,
            fault: { name: "unknown_model", model: name.slice(0, 60) },
          });
        return model.id;
      }),
    ),
  ];
}

function cleanAddresses(texts: readonly string[]): string[] {
  const addresses = [...new Set(texts.map((text) => text.trim().toLowerCase()))];
  const list = addressListOf(addresses);
  if (addresses.length > KEY_ADDRESSES_MAX)
    throw new RelayError("invalid_value", {
      param: "allowedAddresses",
      message: `A key can have at most ${KEY_ADDRESSES_MAX} addresses and ranges; these are ${addresses.length}.`,
      fault: { name: "too_many", sent: addresses.length, bound: KEY_ADDRESSES_MAX },
    });
  if (typeof list !== "string") return addresses;
  throw new RelayError("invalid_value", {
    param: "allowedAddresses",
    message: `${JSON.stringify(list.slice(0, 60))} is neither an IP address nor a range such as 203.0.113.0/24 or 2001:db8::/32.`,
    fault: { name: "not_an_address", address: list.slice(0, 60) },
  });
}

/** Throws `invalid_value`, naming the field. Undefined members stay as they are. */
export function cleanLimits(limits: KeyLimits) {
  const { requestsPerMinute, models, expiresAt, hourlySpendMax, allowedAddresses } = limits;
  assertHeldLimits(limits);
  if (
    requestsPerMinute !== undefined &&
    !(
      Number.isInteger(requestsPerMinute) &&
      requestsPerMinute >= 1 &&
      requestsPerMinute <= REQUESTS_PER_MINUTE_OPERATOR_MAX
    )
  ) {
    throw new RelayError("invalid_value", {
      param: "requestsPerMinute",
      message: `Requests per minute must be a whole number from 1 to ${REQUESTS_PER_MINUTE_OPERATOR_MAX.toLocaleString("en")}.`,
      fault: { name: "out_of_range", min: 1, max: REQUESTS_PER_MINUTE_OPERATOR_MAX },
    });
  }
  if (expiresAt != null && !(expiresAt.getTime() > Date.now())) {
    throw new RelayError("invalid_value", {
      param: "expiresAt",
      message: "The key's expiry must be in the future.",
      fault: { name: "not_in_future" },
    });
  }
  if (hourlySpendMax != null && !(hourlySpendMax >= 1n && hourlySpendMax <= MICROPOINTS_MAX)) {
    throw new RelayError("invalid_value", {
      param: "hourlySpendMax",
      message: "The limit per hour must be a number of points above zero.",
      fault: { name: "not_points" },
    });
  }
  return {
    requestsPerMinute,
    expiresAt,
    hourlySpendMax,
    models: models === undefined ? undefined : cleanModels(models),
    allowedAddresses: allowedAddresses === undefined ? undefined : cleanAddresses(allowedAddresses),
  };
}
