/**
 * Bounds that several schemas, forms, commands, functions and database checks share. Only numbers,
 * since the browser and the ledger read them too. A test compares the database's checks with them.
 */

/** The maximum bounds the cost of hashing a password. */
export const PASSWORD_LENGTH_MIN = 10;
export const PASSWORD_LENGTH_MAX = 200;
/** RFC 5321. */
export const EMAIL_LENGTH_MAX = 254;
/** The name of a user, an API key, a channel, a package or a batch of vouchers. */
export const NAME_LENGTH_MAX = 80;
/** The note of a package or an invitation. */
export const NOTE_LENGTH_MAX = 200;
/** The reason for an operator's action. */
export const REASON_LENGTH_MAX = 500;
/** The models that a request of text may name for when its own cannot be had. */
export const FALLBACK_MODELS_MAX = 8;
/** The models that an operator makes of rules over others, and the text of the rules. */
export const VIRTUAL_MODELS_MAX = 50;
export const VIRTUAL_RULES_LENGTH_MAX = 20_000;
/**
 * The tags of a request; their names, their values, and how many of each a key may add in a month
 * (UTC): a person with all keys twice as many, all of an account four times as many.
 */
export const TAGS_MAX = 16;
export const TAG_NAME_LENGTH_MAX = 64;
export const TAG_VALUE_LENGTH_MAX = 256;
export const TAG_NAMES_MAX = 100;
export const TAG_VALUES_MAX = 1000;
/** Tags as the text of a filter. */
export const TAG_TEXT_LENGTH_MAX = 2000;
/** Of an account, each of one tag and one period. */
export const TAG_BUDGETS_MAX = 100;
/** The text of a notice to everyone. */
export const NOTICE_LENGTH_MAX = 500;
/** The title of an incident, and the text of one of its updates. */
export const INCIDENT_TITLE_MAX = 120;
export const INCIDENT_TEXT_MAX = 1000;
export const INCIDENT_MODELS_MAX = 50;
export const INCIDENT_UPDATES_MAX = 50;
/** Incidents that go on at once. */
export const INCIDENTS_OPEN_MAX = 20;
/** A group of accounts: its name, the models that it may see, and those with a multiplier. */
export const GROUP_NAME_MAX = 60;
export const GROUP_MODELS_MAX = 200;
export const GROUP_MULTIPLIERS_MAX = 200;
export const GROUPS_MAX = 100;
/** Plans that are not retired, by a trigger, and the hours of a period. */
export const PLANS_MAX = 100;
export const PLAN_HOURS_MAX = 8784;
/** Of a voucher. */
export const PLAN_PERIODS_MAX = 1000;
/** Periods of a plan that one payment is for. */
export const PLAN_ADVANCE_MAX = 60;
/** An operator's search text. */
export const SEARCH_LENGTH_MAX = 200;
/** The name of an action in the audit log. */
export const ACTION_LENGTH_MAX = 60;
/** The id of an account, key, channel, request or task. */
export const ID_LENGTH_MAX = 80;
/** The longest time for which an account may keep what its texts asked and were answered. */
export const CONTENT_DAYS_MAX = 30;
/** The most of an input, and of an output, that is kept. */
export const CONTENT_CHARACTERS_MAX = 1024 * 1024;
/** The most sessions of the playground that are kept for a user of an account, and their bytes. */
export const STUDIO_SESSIONS_MAX = 200;
export const STUDIO_SESSIONS_BYTES_MAX = 32 * 1024 * 1024;
/** The most of one session, and the answers that it waits for. */
export const STUDIO_CONTENT_CHARACTERS_MAX = 1024 * 1024;
export const STUDIO_ORDERS_MAX = 8;
export const STUDIO_TITLE_LENGTH_MAX = 80;
/** The filters of the usage page that a member keeps, and the longest of one. */
export const USAGE_VIEWS_MAX = 30;
export const USAGE_VIEW_NAME_LENGTH_MAX = 60;
export const USAGE_VIEW_QUERY_LENGTH_MAX = 1000;
/** The longest time for which responses may be stored. */
export const RESPONSE_DAYS_MAX = 365;
/** The id of a stored response, as a client names it. */
export const RESPONSE_ID_LENGTH_MAX = 100;
/** The id of a tool call: upstreams put more than a number into it. */
export const TOOL_CALL_ID_LENGTH_MAX = 4000;
export const TOOL_NAME_LENGTH_MAX = 200;
/** The cursor of a list's next page. */
export const CURSOR_LENGTH_MAX = 200;
/** A catalogue model's identifier, alias or synonym. */
export const MODEL_LENGTH_MAX = 80;
/** The `model` of a relay request, before it is looked up. */
export const REQUESTED_MODEL_LENGTH_MAX = 200;
/** The largest amount of points in one field: nine digits, six decimals. */
export const POINTS_MAX = 999_999_999.999_999;
/** The text of an amount of points: nine digits, a point, six digits. */
export const POINTS_LENGTH_MAX = 16;
export const VOUCHER_CODE_LENGTH_MAX = 60;
export const INVITE_CODE_LENGTH_MAX = 100;
/** The token of a mailed link, of which 43 characters are ours. */
export const LINK_TOKEN_LENGTH_MAX = 100;
/** The text of a multiplier, such as `100.000000`. */
export const MULTIPLIER_LENGTH_MAX = 11;

/** The limit of an API key for which neither its owner nor an operator set one. */
export const REQUESTS_PER_MINUTE_DEFAULT = 60;
/** The highest limit that an owner may give a key, and an operator to all new keys. */
export const REQUESTS_PER_MINUTE_MAX = 6000;
/**
 * The highest limit that the command line may give one key, for an account or a load test that
 * needs more.
 */
export const REQUESTS_PER_MINUTE_OPERATOR_MAX = 1_000_000;
/** Polls of tasks, which do not count as requests. */
export const POLLS_PER_MINUTE = 600;
export const KEYS_PER_ACCOUNT_MAX = 100;
/** Of a member who may not revoke those of others. */
export const KEYS_PER_DEVELOPER_MAX = 50;
export const MANAGEMENT_KEYS_PER_ACCOUNT_MAX = 20;
/** Members of an account, and accounts of a user. */
export const MEMBERS_PER_ACCOUNT_MAX = 100;
export const ACCOUNTS_PER_USER_MAX = 50;
/** Invitations to an account that are open, and in a day. */
export const INVITATIONS_OPEN_MAX = 20;
export const INVITATIONS_PER_DAY_MAX = 100;
export const INVITATION_DAYS = 7;
/** What a management key may send. */
export const MANAGEMENT_REQUESTS_PER_MINUTE = 60;
export const OPERATOR_KEYS_PER_USER_MAX = 20;
/** What an operator key may send. */
export const OPERATOR_REQUESTS_PER_MINUTE = 300;
/** The reference with which a change of points takes effect once. */
export const REF_LENGTH_MAX = 100;
/** The addresses and ranges from which a key may be used, and the length of one. */
export const KEY_ADDRESSES_MAX = 50;
export const ADDRESS_LENGTH_MAX = 49;
/** The highest limits of requests at once and of tokens a minute. */
export const KEY_RUNNING_MAX = 10_000;
export const KEY_TOKENS_MAX = 1_000_000_000;
/** The name of a time zone. */
export const ZONE_LENGTH_MAX = 60;
/** The number of models to which a key may be restricted. */
export const KEY_MODELS_MAX = 20;

export const CHANNEL_REQUESTS_PER_SECOND_DEFAULT = 10;
export const CHANNEL_REQUESTS_PER_MINUTE_DEFAULT = 600;
export const BASE_URL_LENGTH_MAX = 500;
export const UPSTREAM_KEY_LENGTH_MAX = 1000;
/** The further credentials of a channel, and the name of one. */
export const CHANNEL_CREDENTIALS_MAX = 20;
export const CREDENTIAL_NAME_MAX = 40;
/** The address of a proxy with its user and password, each of whose bytes may be escaped. */
export const PROXY_LENGTH_MAX = 2100;
/** The time between two tests of a channel that rests. */
export const CHANNEL_TEST_SECONDS_MIN = 10;
export const CHANNEL_TEST_SECONDS_MAX = 3600;
/** The headers that a channel sends beside the relay's own. */
export const CHANNEL_HEADERS_MAX = 20;
export const HEADER_NAME_MAX = 64;
export const HEADER_VALUE_MAX = 1000;
/** An upstream's name for a model. */
export const UPSTREAM_MODEL_LENGTH_MAX = 200;
/** The address of an upstream's price list. */
export const PRICE_LIST_ADDRESS_MAX = 500;
/** Chat fields that a channel may allow in addition to the usual ones. */
export const ALLOWED_FIELDS_MAX = 50;
/** The ranges of a channel's numbers. 0 requests means no limit. */
export const channelBounds = {
  requestsPerSecond: { min: 0, max: 1_000_000 },
  requestsPerMinute: { min: 0, max: 10_000_000 },
  priority: { min: -1_000_000, max: 1_000_000 },
  weight: { min: 1, max: 1000 },
  credentialWeight: { min: 1, max: 1000 },
  timeoutSeconds: { min: 1, max: 3600 },
} as const;

/** The address of a callback or a webhook. */
export const CALLBACK_CHARACTERS_MAX = 2048;
/** The endpoints of webhooks of an account, and what the log of one shows. */
export const WEBHOOKS_PER_ACCOUNT_MAX = 5;
export const WEBHOOK_LOG_ROWS = 50;
/** The days for which a balance may have to last. */
export const LOW_BALANCE_DAYS_MAX = 90;

export const INVITE_DAYS_MAX = 90;
export const VOUCHERS_PER_BATCH_MAX = 1000;
export const PACKAGES_MAX = 100;
/** A package's price, in the currency's smallest unit. */
export const PACKAGE_AMOUNT_MAX = 99_999_999;
/** Automatic top-ups: the most a person may allow in a month, in the currency's smallest unit. */
export const AUTO_TOPUP_MONTH_MAX = 99_999_999;
export const AUTO_TOPUP_MINUTES_BETWEEN = 10;
export const AUTO_TOPUPS_PER_DAY_MAX = 10;
/** What receipts and invoices name the buyer and the seller by. */
export const BILLING_NAME_LENGTH_MAX = 200;
export const BILLING_ADDRESS_LENGTH_MAX = 500;
export const TAX_NUMBER_LENGTH_MAX = 60;
/** What an installation shows of its own: its name, lines of its home page, its footer. */
export const BRAND_NAME_LENGTH_MAX = 40;
export const HOME_TITLE_LENGTH_MAX = 120;
export const HOME_LEAD_LENGTH_MAX = 400;
export const FOOTER_LENGTH_MAX = 300;
/** Of a logo or an icon, and of a legal page. */
export const BRAND_FILE_BYTES_MAX = 64 * 1024;
/** The longest side of a PNG that is a logo or an icon. */
export const BRAND_IMAGE_PIXELS_MAX = 2048;
/** A body of the pages' API and of the keys that do the same; one that sets a setting, with escapes. */
export const ROW_BODY_BYTES_MAX = 64 * 1024;
export const SETTING_BODY_BYTES_MAX = 192 * 1024;
/** The longest value of a setting: a file of the brand in base64, with what says its type. */
export const SETTING_LENGTH_MAX = 90_000;
/** The maximum distance from 0, in both directions. */
export const PACKAGE_POSITION_MAX = 10_000;

export const PROMPT_LENGTH_MAX = 20_000;
/** The tokens of one kind in one request. */
export const TOKENS_MAX = 2 ** 31;
export const SEED_MAX = 2 ** 32 - 1;
/**
 * A hold ends within this time, so the open holds of a moment belong to operations opened at most
 * this long before.
 */
export const HOLD_DAYS_MAX = 3;
/** Of a conversation, without the images in it. */
export const CHAT_TEXT_MEBIBYTES_MAX = 4;
/** Of a body with the images in it. */
export const MEDIA_BODY_MEBIBYTES_MAX = 32;
/** A file of a form, and the parts of a form. */
export const FORM_FILE_MEBIBYTES_MAX = 10;
export const FORM_PARTS_MAX = 64;
export const FORM_NAME_LENGTH_MAX = 100;

/** The lengths, the sizes and the qualities that a model may list. */
export const DURATIONS_MAX = 60;
export const SIZES_MAX = 40;
export const QUALITIES_MAX = 8;
/** The most images of one call, of a model that makes several. */
export const IMAGES_A_CALL_MAX = 15;
/** The layers of one image, with the picture behind them. */
export const LAYERS_MAX = 17;
/** The frames of one GIF. */
export const FRAMES_MIN = 2;
export const FRAMES_DEFAULT = 9;
export const FRAMES_MAX = 16;
export const FRAME_MS_MAX = 655_350;
/** How often a stream may show each image before it is finished. */
export const PARTIAL_IMAGES_MAX = 3;
/** The names of sizes that a model may have, such as 2K. */
export const SIZE_NAMES_MAX = 8;
export const VIDEO_SECONDS_MAX = 60;
/** After how long an upstream may give up an unfinished video. */
export const EXPIRES_SECONDS_MIN = 3600;
export const EXPIRES_SECONDS_MAX = 259_200;
/** The tools of one order of a video. */
export const TOOL_KINDS_MAX = 8;
/** The answers of one request for text. */
export const ANSWERS_MAX = 8;
/** The videos, and the sounds, that one video may be made from. */
export const INPUT_MEDIA_MAX = 10;
/** Of a model's identifier and of each alias. */
export const MODEL_ID_LENGTH_MAX = 64;
export const MODEL_ALIASES_MAX = 8;
export const MODELS_MAX = 2000;
/** Models that are imported at once. */
export const IMPORTED_MODELS_MAX = 100;
export const MODEL_TITLE_LENGTH_MAX = 80;
export const MODEL_SENTENCE_LENGTH_MAX = 300;

/** How old the first top-up of a referred account may have to be. */
export const REFERRAL_DAYS_MAX = 180;
/** How many tries a human check may take at most, as the operator sets it. */
export const HUMAN_CHECK_TRIES_MIN = 10;
export const HUMAN_CHECK_TRIES_MAX = 1000;
/** The answer to a human check, of which 152 characters are ours. */
export const HUMAN_CHECK_LENGTH_MAX = 200;

/** Recovery codes that are made at a time. */
export const RECOVERY_CODES = 10;
export const PASSKEYS_MAX = 20;
/** Points that a setting can give to whoever signs up or is referred. */
export const GIVEN_POINTS_MAX = 100_000;
/** Sign-ins through other services that a user can have. */
export const IDENTITIES_MAX = 20;
export const PASSKEY_NAME_LENGTH_MAX = 80;
/** A code of an authenticator app, or a recovery code with its dashes. */
export const CODE_LENGTH_MAX = 40;
