import { receiveStripeEvent } from "@/lib/session/session";

export const POST = receiveStripeEvent;
