/** Requests to `/api/notifications` and their answers. */
import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { CURSOR_LENGTH_MAX, LOW_BALANCE_DAYS_MAX } from "./limits";
import { get, ofPerson, type PageEndpoints, patch } from "./page-endpoint";
import { notificationKinds, sendingStates } from "./states";

const kind = z.enum(notificationKinds);

const notification = z.object({
  id: answerText,
  kind,
  /** In the reader's language. */
  title: answerText,
  text: answerText,
  /** The page on which something can be done about it. */
  path: answerText,
  /** Nothing of it is so any more, such as that a balance is low. */
  isOver: z.boolean(),
  createdAt: moment,
  /** The reader's own mail; null without one. */
  mail: z.enum(sendingStates).nullable(),
  /** To how many endpoints it was delivered, or is to be. */
  webhooks: z.number().int(),
});

const choices = z.object({
  /** `unverified`: the reader's address is not known to be his. */
  mail: z.enum(["on", "off", "unverified"]),
  lowBalanceDays: z.number().int().nullable(),
  kinds: answerRows(z.object({ kind, byMail: z.boolean() })),
});

const chooseRequest = z
  .strictObject({
    mails: z
      .array(z.strictObject({ kind, byMail: z.boolean() }))
      .max(notificationKinds.length)
      .optional(),
    /** Null for never. */
    lowBalanceDays: z.int().min(1).max(LOW_BALANCE_DAYS_MAX).nullable().optional(),
  })
  .refine(
    (change) => Object.values(change).some((value) => value !== undefined),
    "send at least one field to change",
  );

export const notificationEndpoints = {
  listNotifications: {
    ...get("/api/notifications", ofPerson),
    query: z.strictObject({ cursor: z.string().max(CURSOR_LENGTH_MAX).optional() }),
    answer: z.object({
      notifications: answerRows(notification),
      nextCursor: answerText.nullable(),
    }),
  },
  showNotificationChoices: {
    ...get("/api/notification-choices", ofPerson),
    answer: choices,
  },
  chooseNotifications: {
    ...patch("/api/notification-choices", ofPerson),
    command: "notification choose",
    body: chooseRequest,
    answer: choices,
  },
} as const satisfies PageEndpoints;

export type NotificationView = z.infer<typeof notification>;
export type NotificationChoices = z.infer<typeof choices>;
export type ChooseNotifications = z.infer<typeof chooseRequest>;
