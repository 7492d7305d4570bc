/** Faults of a field's value. Their texts do not name the field. */
export const valueFaultNames = [
  "missing",
  "wrong_type",
  "not_an_option",
  "too_small",
  "too_large",
  "too_short",
  "too_long",
  "too_few",
  "too_many",
  "out_of_range",
  "unknown_fields",
  "unstorable",
  "not_points",
  "not_in_future",
  "unknown_model",
  "not_an_address",
  "not_a_zone",
  "password_length",
  "size_form",
  "size_outside",
  "size_not_of_ratio",
] as const;

/**
 * What exactly is wrong with a refused request. A signed-in page gets it beside the failure's code,
 * with the names and numbers of the case, and says it in its reader's language.
 */
export const faultNames = [
  ...valueFaultNames,
  // An order of a text, a video or an image.
  "wrong_family",
  "no_references",
  "frame_and_references",
  "no_last_frame",
  "last_frame_alone",
  "no_sound",
  "no_tools",
  "no_images",
  "no_documents",
  "flag_wrong",
  "flag_and_field",
  "prompt_empty",
  "no_streams",
  // A voucher.
  "voucher_unknown",
  "voucher_used",
  "voucher_used_by_you",
  "voucher_cancelled",
  "voucher_expired",
  "voucher_of_other_plan",
  // Limits of an account and of the service.
  "requests_a_minute",
  "actions_a_minute",
  "requests_at_once",
  "body_bytes",
  "keys_in_use",
  "own_keys_in_use",
  "invitations_open",
  "members_full",
  "is_owner",
  "last_sign_in",
  "payment_over",
  // An operator's change.
  "name_taken",
  "channel_takes_work",
  "channel_has_tasks",
  "channel_key_needed",
  "reference_reused",
  "too_few_points_to_take",
  "refund_too_large",
  "model_not_offered",
  "changed_meanwhile",
] as const;

export type FaultName = (typeof faultNames)[number];

export interface Fault {
  readonly name: FaultName;
  /** The names and numbers of the case: what was sent, what is allowed. */
  readonly [value: string]: string | number;
}
